import { setImmediate } from "node:timers/promises";

/**
 * The error of an output that could not be written, checked after the last write; undefined if it was written, or if its reader has
 * closed it (`| head`).
 */
export function watchOutput(output: NodeJS.WriteStream): () => Promise<string | undefined> {
	let unwritten: string | undefined;
	output.on("error", ({ code = "EIO" }: NodeJS.ErrnoException) => {
		if (code !== "EPIPE") unwritten ??= code;
	});
	return async () => {
		// A stream reports a failed write asynchronously, after the code that wrote has continued.
		await setImmediate();
		return unwritten;
	};
}

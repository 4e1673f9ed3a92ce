import { setImmediate } from "node:timers/promises";

/**
 * Watches an output. Call the returned function after the last write: it resolves with the error's code if the output could not be written;
 * with undefined if it was written, or if its reader closed it (`| head`).
 */
export function watchOutput(output: NodeJS.WriteStream): () => Promise<string | undefined> {
	let unwritten: string | undefined;
	output.on("error", ({ code = "EIO" }: NodeJS.ErrnoException) => {
		if (code !== "EPIPE") unwritten ??= code;
	});
	return async () => {
		// A stream reports a failed write asynchronously, so one turn of the event loop has to pass.
		await setImmediate();
		return unwritten;
	};
}

import { setImmediate } from "node:timers/promises";

/** Why an output could not be written, once all of it was tried; undefined where it was, and where its reader is gone (`| head`). */
export function watchOutput(output: NodeJS.WriteStream): () => Promise<string | undefined> {
	let unwritten: string | undefined;
	output.on("error", ({ code = "EIO" }: NodeJS.ErrnoException) => {
		if (code !== "EPIPE") unwritten ??= code;
	});
	return async () => {
		// A stream tells of a failed write only after the code that wrote has gone on.
		await setImmediate();
		return unwritten;
	};
}

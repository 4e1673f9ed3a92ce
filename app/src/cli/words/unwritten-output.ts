/**
 * Watches an output. Call the returned function after the last write: once everything is written it resolves with undefined, with the
 * error's code if the output could not be written, and with undefined if its reader closed it (`| head`).
 */
export function watchOutput(output: NodeJS.WriteStream): () => Promise<string | undefined> {
	let unwritten: string | undefined;
	let hasFailed = false;
	output.on("error", ({ code = "EIO" }: NodeJS.ErrnoException) => {
		hasFailed = true;
		if (code !== "EPIPE") unwritten ??= code;
	});
	return async () => {
		// A pipe takes what fits, and the rest when its reader has read; a process that exits before that loses it.
		if (!hasFailed) await new Promise<void>((resolve) => output.write("", () => resolve()));
		return unwritten;
	};
}

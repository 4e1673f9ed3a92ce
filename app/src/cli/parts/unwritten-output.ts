/**
 * Watches an output. Call the returned function after the last write. It resolves once everything has been written or a write has failed:
 * with the error's code if the output could not be written, otherwise with undefined, even if its reader closed it (`| head`).
 */
export function watchOutput(output: NodeJS.WriteStream): () => Promise<string | undefined> {
	let unwritten: string | undefined;
	let hasFailed = false;
	output.on("error", ({ code = "EIO" }: NodeJS.ErrnoException) => {
		hasFailed = true;
		if (code !== "EPIPE") unwritten ??= code;
	});
	return async () => {
		// A pipe takes only what fits into its buffer, and the rest once its reader has read. A process that exits earlier loses the rest.
		if (!hasFailed) await new Promise<void>((resolve) => output.write("", () => resolve()));
		return unwritten;
	};
}

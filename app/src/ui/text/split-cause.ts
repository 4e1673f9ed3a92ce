/** Splits a message: its first line is a sentence, and the lines after it are raw details. */
export function splitCause(message: string): { readonly sentence: string; readonly cause: string } {
	const [sentence = "", ...rest] = message.trim().split("\n");
	return { sentence: sentence.trimEnd(), cause: rest.join("\n").trim() };
}

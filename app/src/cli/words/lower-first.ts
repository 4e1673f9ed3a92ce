/** A phrase of the interface with its first letter in lower case, for use within a line. */
export function lowerFirst(text: string): string {
	return text.slice(0, 1).toLowerCase() + text.slice(1);
}

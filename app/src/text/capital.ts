/** The text with its first letter in upper case, for the beginning of a sentence. */
export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Unifies line endings and drops white space at the end, because a text that an agent reports may differ from the actual one in both. */
export function comparable(text: string): string {
	return text.replace(/\r\n/g, "\n").trimEnd();
}

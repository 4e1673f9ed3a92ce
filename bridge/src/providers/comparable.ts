/** Unifies line endings and drops white space at the end, because texts that an agent reports may differ in both from what they were or became. */
export function comparable(text: string): string {
	return text.replace(/\r\n/g, "\n").trimEnd();
}

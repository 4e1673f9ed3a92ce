export interface CutText {
	readonly text: string;
	readonly truncated: boolean;
	/** Size of the whole text in UTF-8. */
	readonly totalBytes: number;
}

/** Truncates a text to at most `maxBytes` of UTF-8, never within a character. Lone surrogates become U+FFFD. */
export function cutText(text: string, maxBytes: number): CutText {
	const bytes = Buffer.from(text);
	if (bytes.length <= maxBytes) return { text: bytes.toString("utf8"), truncated: false, totalBytes: bytes.length };
	let end = maxBytes;
	// A byte of the form 0b10xxxxxx continues a character.
	while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
	return { text: bytes.toString("utf8", 0, end), truncated: true, totalBytes: bytes.length };
}

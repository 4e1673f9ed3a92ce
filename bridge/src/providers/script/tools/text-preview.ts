import type { Preview } from "@xworkmate/contracts";

const PREVIEW_BYTES = 1024;

/** The beginning of a text, at most 1 KiB: a log of ten thousand writes is still a small log. */
export function textPreview(text: string): Preview {
	// A UTF-16 unit is one byte of UTF-8 at least, so the rest of a long text is never encoded.
	const head = Buffer.from(text.slice(0, PREVIEW_BYTES));
	if (head.length <= PREVIEW_BYTES && text.length <= PREVIEW_BYTES) return { text: text.toWellFormed(), truncated: false };
	let end = Math.min(PREVIEW_BYTES, head.length);
	while (end > 0 && ((head[end] ?? 0) & 0xc0) === 0x80) end -= 1;
	return { text: head.toString("utf8", 0, end), truncated: true };
}

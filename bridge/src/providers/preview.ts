import { limits, type Preview } from "@xworkmate/contracts";

/** The first `bytes` bytes of a string in UTF-8, never ending in the middle of a character. */
export function firstBytes(text: string, bytes: number): string {
	// Each UTF-16 unit is at least one byte, so more units than bytes can never fit.
	const candidate = text.slice(0, bytes);
	const encoded = Buffer.from(candidate, "utf8");
	if (encoded.length <= bytes) return candidate.length === text.length ? text : withoutHalfPair(candidate);
	let end = bytes;
	while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--;
	return encoded.subarray(0, end).toString("utf8");
}

/** How much of a call's title is kept, in bytes of UTF-8. */
const TITLE_BYTES = 1_024;

/**
 * A call's title, truncated to the limit. A truncated title ends with a note of its full length, because the missing part may be what
 * matters.
 */
export function boundedTitle(title: string): string {
	if (!isTitleTooLong(title)) return title.toWellFormed();
	const sign = `… (truncated: ${title.length} characters in total)`;
	return `${firstBytes(title, TITLE_BYTES - Buffer.byteLength(sign)).toWellFormed()}${sign}`;
}

/** Whether a title has been truncated. */
export function isBounded(title: string): boolean {
	return /… \(truncated: \d+ characters in total\)$/.test(title);
}

export function isTitleTooLong(title: string): boolean {
	return firstBytes(title, TITLE_BYTES) !== title;
}

function withoutHalfPair(text: string): string {
	const last = text.charCodeAt(text.length - 1);
	return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** The beginning of a text, at most 16 KiB (docs/protocol.md#updates) by default. */
export function previewOf(text: string, bytes: number = limits.previewBytes): Preview {
	const shown = firstBytes(text, bytes);
	return { text: shown, truncated: shown.length < text.length };
}

/** A value in readable form: a string as is, anything else as JSON; undefined if it has no JSON form. */
export function readable(value: unknown): string | undefined {
	if (typeof value === "string") return value;
	try {
		return JSON.stringify(value);
	} catch {
		// The value is nested too deeply for JSON.stringify.
		return undefined;
	}
}

/** A text in pieces of at most `characters` UTF-16 units, never splitting a surrogate pair. */
export function piecesOf(text: string, characters: number): readonly string[] {
	const pieces: string[] = [];
	let start = 0;
	while (start < text.length) {
		const piece = start + characters >= text.length ? text.slice(start) : withoutHalfPair(text.slice(start, start + characters));
		pieces.push(piece);
		start += piece.length;
	}
	return pieces;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Strings at least this long are searched with a native call, which costs about as much as scanning this many bytes. */
const NATIVE_FROM = 64;
/** Bytes of the longest escape, which represents at least one byte of the string. */
const ESCAPE_BYTES = 6;
/** This many bytes outside string values, or this many escapes in them, cost about as much as one member. */
const BYTES_PER_MEMBER = 128;

const STRING = 1;
const COMMA = 2;
const COLON = 3;
const OPEN = 4;
const CLOSE = 5;
/** One table look-up per byte is three times as fast as comparing with each structural character. */
const KINDS = new Uint8Array(256);
for (const [kind, characters] of [
	[STRING, '"'],
	[COMMA, ","],
	[COLON, ":"],
	[OPEN, "{["],
	[CLOSE, "}]"],
] as const) {
	for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}

/** Limits on a JSON text. A text that is exactly at a limit is within it. */
export interface JsonBounds {
	/** How deeply objects and arrays may be nested. */
	readonly depth: number;
	/**
	 * Entries of all objects plus elements of all arrays. The count is conservative: an empty object or array counts as one, and so do every
	 * 128 bytes outside string values, such as keys, numbers, punctuation and white space, and every 128 escapes.
	 */
	readonly members: number;
	/** UTF-8 bytes of one string, an escape counted as at most one byte. Unbounded by default. */
	readonly stringBytes?: number;
}

/**
 * Which limit a JSON text exceeds, if any, checked before it is parsed: parsing cannot be interrupted, and brackets and keys take a hundred
 * times their size in memory. Makes one pass over the bytes, and stops at the first limit exceeded. The text may be invalid JSON; for valid
 * JSON the count is never too low.
 */
export function measureJson(text: Uint8Array, bounds: JsonBounds): "deep" | "many" | "long" | undefined {
	const strings = new StringEnds(text);
	const { length } = text;
	const allowed = bounds.members * BYTES_PER_MEMBER;
	const longest = bounds.stringBytes ?? length;
	let depth = 0;
	/** In units of bytes: each member adds `BYTES_PER_MEMBER`. */
	let weight = 0;
	let stringBytes = 0;
	for (let index = 0; index < length; index++) {
		const kind = KINDS[text[index] ?? 0];
		weight++;
		if (kind === STRING) {
			const escapes = strings.escapes;
			const end = strings.after(index + 1);
			stringBytes = end - index;
			if (stringBytes - 1 - (strings.escapes - escapes) * (ESCAPE_BYTES - 1) > longest) return "long";
			index = end;
		} else if (kind === COMMA) weight += BYTES_PER_MEMBER;
		else if (kind === COLON) {
			weight += stringBytes;
			stringBytes = 0;
		} else if (kind === OPEN) {
			weight += BYTES_PER_MEMBER;
			if (++depth > bounds.depth) return "deep";
		} else if (kind === CLOSE) depth--;
		if (weight + strings.escapes > allowed) return "many";
	}
	return undefined;
}

/** Finds the ends of strings. Keeps the result of a native search until the scan has passed it, so each byte is searched once. */
class StringEnds {
	escapes = 0;
	readonly #text: Uint8Array;
	#quote = -1;
	#backslash = -1;

	constructor(text: Uint8Array) {
		this.#text = text;
	}

	/** Index of the closing quote of the string whose first character is at `start`, or the end of the text. */
	after(start: number): number {
		const text = this.#text;
		let index = start;
		while (index < text.length) {
			const near = Math.min(index + NATIVE_FROM, text.length);
			while (index < near) {
				const byte = text[index];
				if (byte === QUOTE) return index;
				if (byte === BACKSLASH) {
					this.escapes++;
					index += 2;
				} else index++;
			}
			index = this.#nextOf(index);
		}
		return text.length;
	}

	#nextOf(index: number): number {
		if (this.#quote < index) this.#quote = this.#find(QUOTE, index);
		if (this.#backslash < index) this.#backslash = this.#find(BACKSLASH, index);
		return Math.min(this.#quote, this.#backslash);
	}

	#find(byte: number, from: number): number {
		const found = this.#text.indexOf(byte, from);
		return found < 0 ? this.#text.length : found;
	}
}

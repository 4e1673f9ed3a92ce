const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Strings at least this long are searched natively; a native call costs about as much as this many bytes. */
const NATIVE_FROM = 64;
/** So many bytes outside string values, or escapes in them, cost about what a member costs. */
const BYTES_PER_MEMBER = 128;

const STRING = 1;
const COMMA = 2;
const COLON = 3;
const OPEN = 4;
const CLOSE = 5;
/** One look-up for each byte is three times as fast as a comparison with each structural character. */
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

/** A text exactly at a bound is within it. */
export interface JsonBounds {
	/** Objects and arrays within each other. */
	readonly depth: number;
	/**
	 * Entries of all objects plus elements of all arrays. Counted cautiously: an empty object or array counts
	 * as one, and so do each 128 bytes of keys, numbers and white space, and each 128 escapes.
	 */
	readonly members: number;
}

/**
 * Which bound a JSON text exceeds, before it is parsed: parsing cannot be interrupted, and brackets and
 * keys cost a hundred times their bytes. One pass over the bytes that stops at the first bound exceeded.
 * The text may be invalid JSON; one that a parser accepts never counts less than it holds.
 */
export function measureJson(text: Uint8Array, bounds: JsonBounds): "deep" | "many" | undefined {
	const strings = new StringEnds(text);
	const { length } = text;
	const allowed = bounds.members * BYTES_PER_MEMBER;
	let depth = 0;
	/** In bytes: a member is worth `BYTES_PER_MEMBER`. */
	let weight = 0;
	let stringBytes = 0;
	for (let index = 0; index < length; index++) {
		const kind = KINDS[text[index] ?? 0];
		weight++;
		if (kind === STRING) {
			const end = strings.after(index + 1);
			stringBytes = end - index;
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

/** Finds where strings end. What a native search has found is kept until it is passed, so each byte is searched once. */
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

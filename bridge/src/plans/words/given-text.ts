/** Pairs of quotation marks. A straight single mark is also an apostrophe, so it counts only at the edge of words. */
const PAIRS: Readonly<Record<string, string>> = { '"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "‘": "’", "'": "'" };
const OTHER_CLOSERS: Readonly<Record<string, string>> = { "„": "”" };
const APOSTROPHES = new Set(["'", "’"]);

/** A part of a text, from `start` up to but not including `end`. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** The parts of a text in quotation marks, without the marks. */
export function quotedSpans(text: string): readonly Span[] {
	const spans: Span[] = [];
	const endless = new Set<string>();
	for (let at = 0; at < text.length; at++) {
		const mark = text.charAt(at);
		const closer = PAIRS[mark];
		if (closer === undefined || endless.has(mark) || (mark === "'" && isWordAt(text, at - 1))) continue;
		const end = closingAt(text, at + 1, closer, OTHER_CLOSERS[mark]);
		if (end === undefined) {
			endless.add(mark);
			continue;
		}
		if (end > at + 1) spans.push({ start: at + 1, end });
		at = end;
	}
	return spans;
}

function closingAt(text: string, from: number, closer: string, other: string | undefined): number | undefined {
	for (let at = from; at < text.length; at++) {
		const mark = text.charAt(at);
		if ((mark === closer || mark === other) && !(APOSTROPHES.has(mark) && isWordAt(text, at + 1))) return at;
	}
	return undefined;
}

/**
 * Where a message appears word for word in a text: as a whole quotation or, if no quotation is the message, as whole words, which must
 * include a quotation if the text has any. Undefined if the text does not contain the message.
 */
export function givenSpan(text: string, message: string): Span | undefined {
	const wanted = unquoted(message);
	if (wanted === "") return undefined;
	const quoted = quotedSpans(text);
	const folded = foldQuotes(text);
	const sought = foldQuotes(wanted);
	const whole = quoted.find(({ start, end }) => folded.slice(start, end).trim() === sought);
	if (whole !== undefined) return trimmed(text, whole);
	const holds = (span: Span) => quoted.length === 0 || quoted.some((each) => each.start >= span.start && each.end <= span.end);
	return wholeSpans(folded, sought).find(holds);
}

/** True if the words appear in a text as whole words, in upper or lower case. */
export function stands(text: string, words: string): boolean {
	const within = folded(text);
	const sought = folded(words.trim());
	return sought !== "" && wholeSpans(within, sought).length > 0;
}

/** Where words appear in a text as whole words, in the same case. */
export function wholeSpans(text: string, words: string): readonly Span[] {
	const spans: Span[] = [];
	for (let start = text.indexOf(words); start !== -1; start = text.indexOf(words, start + 1)) {
		const span = { start, end: start + words.length };
		if (isWhole(text, span)) spans.push(span);
	}
	return spans;
}

/** A text with these parts replaced by spaces. */
export function blanked(text: string, spans: readonly Span[]): string {
	return spans.reduce((rest, { start, end }) => `${rest.slice(0, start)}${" ".repeat(end - start)}${rest.slice(end)}`, text);
}

/** The text without the quotation marks around it. */
export function unquoted(text: string): string {
	const words = text.trim();
	const closer = PAIRS[words.charAt(0)];
	const last = words.charAt(words.length - 1);
	const isQuoted = words.length > 2 && closer !== undefined && (last === closer || last === OTHER_CLOSERS[words.charAt(0)]);
	return isQuoted ? words.slice(1, -1).trim() : words;
}

/** The text in lower case, without differences of width or between quotation marks of the same kind. */
export function folded(text: string): string {
	return foldQuotes(text).normalize("NFKC").toLowerCase();
}

/** Replaces each curly or low quotation mark with one plain character, so that positions stay the same. */
function foldQuotes(text: string): string {
	return text.replace(/[’‘]/g, "'").replace(/[“”„]/g, '"');
}

function isWhole(text: string, { start, end }: Span): boolean {
	const joins = (at: number) => isWordAt(text, at) && isWordAt(text, at - 1);
	return !joins(start) && !joins(end);
}

/** True for a letter or digit of a script that puts spaces between words. */
function isWordAt(text: string, at: number): boolean {
	const letter = text.charAt(at);
	return /[\p{L}\p{N}\p{M}]/u.test(letter) && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(letter);
}

function trimmed(text: string, { start, end }: Span): Span {
	const words = text.slice(start, end);
	return { start: start + words.length - words.trimStart().length, end: end - (words.length - words.trimEnd().length) };
}

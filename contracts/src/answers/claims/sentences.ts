/** A sentence of a text, with its position in UTF-16 units. `said` is the sentence with code and quotations replaced by as many spaces. */
export interface Sentence {
	readonly start: number;
	readonly end: number;
	readonly said: string;
	/** True: the sentence ends with a question mark. */
	readonly isQuestion: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const QUOTE = /["“„«「『`]/;
const QUOTED = /"[^"\n]+"|“[^“”\n]+”|„[^„“”\n]+[“”]|«[^«»\n]+»|「[^「」\n]+」|『[^『』\n]+』|`[^`\n]+`/g;
/** The beginning of a line that starts a new block. */
const BEGINS = /[ \t]*(?:\n|$|[-*+•#|>☐☑☒✓✔✗✘✅❌]|\d{1,3}[.)]\s)/uy;
const LEADING = /[\s>#*+•|_~-]/;
const CLOSING = /["'”’»」』)\]*_~`]/;
const SIGN = /[\n|.!?…。！？｡]/g;
const ENDS = /[.!?…。！？｡]+/y;
const FOLLOWS = /\s|<|\p{Extended_Pictographic}/u;

/**
 * The sentences of a Markdown text, without code and quotations. A text that consists of nothing but code and quotations is read as a
 * statement. Pure, and takes time in proportion to the text.
 */
export function sentencesOf(text: string): readonly Sentence[] {
	const said = withoutQuotes(text);
	return split(text, /[\p{L}]/u.test(said) ? said : text.replace(/^ {0,3}(?:`{3,}|~{3,})[^\n]*$/gm, (line) => blank(line.length)));
}

/** Replaces blocks of code, quoted lines, and text in quotation marks or backticks with spaces. A single word loses only its marks. */
function withoutQuotes(text: string): string {
	const lines = /`{3}|~{3}|>/.test(text) ? withoutBlocks(text) : text;
	return QUOTE.test(lines) ? lines.replace(QUOTED, unquoted) : lines;
}

function withoutBlocks(text: string): string {
	const parts: string[] = [];
	let fence = "";
	let kept = 0;
	for (let at = 0; at < text.length; ) {
		const next = text.indexOf("\n", at);
		const end = next === -1 ? text.length : next;
		const first = text.charAt(at + Math.min(3, /^ {0,3}/.exec(text.slice(at, at + 3))?.[0].length ?? 0));
		const mark = first === "`" || first === "~" ? fenceOf(text.slice(at, end)) : "";
		if (fence !== "" || mark !== "" || first === ">") {
			parts.push(text.slice(kept, at), blank(end - at));
			kept = end;
		}
		if (fence === "") fence = mark;
		else if (mark.startsWith(fence) && text.slice(at, end).trim() === mark) fence = "";
		at = end + 1;
	}
	return parts.join("") + text.slice(kept);
}

/** The marks that begin or end a block of code. Words in backticks at the beginning of a line do not begin one. */
function fenceOf(line: string): string {
	const [whole = "", mark = ""] = FENCE.exec(line) ?? [];
	return mark.startsWith("`") && line.includes("`", whole.length) ? "" : mark;
}

/** A single word in quotation marks is emphasis, not a quotation. */
function unquoted(quote: string): string {
	const inside = quote.slice(1, -1);
	const isWord =
		/^[^\s.!?]{1,24}$/.test(inside) && (inside.length <= 4 || !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(inside));
	return isWord ? ` ${inside} ` : blank(quote.length);
}

function blank(length: number): string {
	return " ".repeat(length);
}

function split(text: string, said: string): readonly Sentence[] {
	const sentences: Sentence[] = [];
	let start = 0;
	const cut = (end: number) => {
		let from = start;
		let to = end;
		while (from < to && LEADING.test(text.charAt(from))) from++;
		while (to > from && /\s/.test(text.charAt(to - 1))) to--;
		start = end;
		if (to === from) return;
		const part = said.slice(from, to);
		if (part.trim() !== "") sentences.push({ start: from, end: to, said: part, isQuestion: isQuestion(part) });
	};
	SIGN.lastIndex = 0;
	for (let found = SIGN.exec(said); found !== null; found = SIGN.exec(said)) {
		const { index } = found;
		const [sign] = found;
		if (sign === "\n" || sign === "|") {
			BEGINS.lastIndex = index + 1;
			if (sign === "|" || BEGINS.test(said) || isHeading(said, index) || isShortLine(said, index)) cut(index + 1);
			continue;
		}
		ENDS.lastIndex = index;
		let at = index + (ENDS.exec(said)?.[0].length ?? 1);
		const isUnspaced = /[。！？｡]/.test(said.charAt(at - 1));
		while (at < said.length && CLOSING.test(said.charAt(at))) at++;
		if (isUnspaced || at >= said.length || FOLLOWS.test(said.charAt(at))) cut(at);
		SIGN.lastIndex = at;
	}
	cut(said.length);
	return sentences;
}

/** Whether a question mark follows the last letter or digit. */
function isQuestion(said: string): boolean {
	for (let at = said.length - 1; at >= 0 && said.length - at < 20; at--) {
		const sign = said.charAt(at);
		if (sign === "?" || sign === "？") return true;
		if (/[\p{L}\p{N}]/u.test(sign)) return false;
	}
	return false;
}

/** A line of fewer UTF-16 units than this is short. A longer one may have been wrapped, so that the next line continues it. */
const SHORT = 40;
const CONTINUES = /[,;:(–—-]$/;

/** Whether a sentence ends where this line ends: the line is short, and the next line begins like a sentence. */
function isShortLine(text: string, end: number): boolean {
	if (!/^[ \t]*\p{Lu}/u.test(text.slice(end + 1, end + 20))) return false;
	const line = text.slice(Math.max(0, end - SHORT), end);
	const begin = line.lastIndexOf("\n") + 1;
	if (begin === 0 && end > SHORT) return false;
	return !CONTINUES.test(line.slice(begin).trimEnd());
}

/** Whether the line that ends here is a heading, so that the next line does not continue it. */
function isHeading(text: string, end: number): boolean {
	let at = end;
	while (at > 0 && end - at < 400 && text.charAt(at - 1) !== "\n") at--;
	return /^ {0,3}#{1,6} /.test(text.slice(at, Math.min(end, at + 12)));
}

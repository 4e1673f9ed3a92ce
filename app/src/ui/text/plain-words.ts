import { type ScriptToken, scriptTokens } from "./script-tokens.ts";

/** Enough characters to decide. A prompt may be megabytes long, and the check runs on every keystroke. */
const READ_CHARACTERS = 20_000;

const set = (words: string) => new Set(words.split(" "));
/** In a program, another word may follow one of these on the same line. */
const LEADS = set(
	"abstract accessor as assert asserts async await break case class const continue debugger declare default delete do else enum " +
		"export extends finally for from function get global if implements import in infer instanceof interface is keyof let module " +
		"namespace new of out override package private protected public readonly return satisfies set static throw type typeof " +
		"unique using var void while with yield",
);
/** In a program, one of these may follow another word, a number or a string on the same line. */
const JOINS = set("as assert extends from implements in instanceof is of satisfies with");
/** In a program, one of these is followed by a parenthesis or a brace, never by a word. */
const OPENS = set("if while switch catch with try finally");
/** Names that a program can use without declaring them. */
const KNOWN = set(
	"tools console Math JSON Object Array String Number Boolean Date Promise Map Set WeakMap WeakSet RegExp Symbol BigInt Intl Reflect " +
		"Proxy Error globalThis undefined null true false this NaN Infinity structuredClone parseInt parseFloat isNaN setTimeout",
);
/** Words that make what follows them a statement or an expression, and words that are a statement on their own. */
const STATEMENTS = set("return throw await new typeof void let var const debugger");

/**
 * True if a text cannot be meant as a program for Script. False for every text that parses as a program that could run, and in case of
 * doubt; Script itself then reports the error. Human languages put words next to each other; TypeScript never puts two names next to each
 * other.
 */
export function readsAsWords(prompt: string): boolean {
	const text = prompt.slice(0, READ_CHARACTERS);
	const isCut = text.length < prompt.length;
	const blocks = fences(text);
	// The bridge runs a text's only block of ts or js, and reports an error if there are two.
	if (blocks.length > 0) return !blocks.some((language) => /^(?:|ts|typescript|js|javascript)$/.test(language));
	const all = scriptTokens(text);
	// A string that was cut off has no end, so what follows its quote is not code.
	const cutAt = isCut ? all.findIndex(({ kind, text }) => kind === "broken" && "`'\"".includes(text)) : -1;
	const tokens = cutAt < 0 ? all : all.slice(0, cutAt);
	if (tokens.length === 0) return false;
	const lines = [...Map.groupBy(tokens, ({ line }) => line).values()].map(judge);
	const said = lines.filter((line) => line === "words" || line === "sentence").length;
	const written = lines.filter((line) => line === "code").length;
	if (lines.includes("sentence") || said > written) return true;
	if (said > 0 || written > 0) return false;
	return tokens.at(-1)?.text === "?" || !couldRun(tokens);
}

/** The languages of a text's code blocks, including a block that is still open. */
function fences(text: string): readonly string[] {
	const found: string[] = [];
	let open = 0;
	for (const line of text.split("\n")) {
		const fence = line.trim();
		if (!fence.startsWith("```")) continue;
		const after = fence.replace(/^`+/, "");
		if (after.includes("`")) continue;
		const ticks = fence.length - after.length;
		const [language = ""] = after.trimStart().split(/\s/, 1);
		if (open === 0) {
			open = ticks;
			found.push(language.toLowerCase());
		} else if (after === "" && ticks >= open) open = 0;
	}
	return found;
}

/**
 * Classifies one line: a `sentence` breaks the rules of a program more than once, or more than twice if it ends like code; `words` break
 * them once and contain no code; `code` contains something only programs have; `open` could be either.
 */
function judge(line: readonly ScriptToken[]): "sentence" | "words" | "code" | "open" {
	let broken = 0;
	for (const [index, token] of line.entries()) if (breaks(line[index - 1], token)) broken++;
	const last = line.at(-1)?.text ?? "";
	const isClosed = /^[;{}]$/.test(last);
	if (broken > (isClosed ? 2 : 1)) return "sentence";
	const isCode = isClosed || line.some((token, index) => isCodeMark(line[index - 1], token));
	if (broken > 0) return isCode ? "code" : "words";
	return isCode || line.some(({ kind }) => kind === "text") ? "code" : "open";
}

/** True if these two tokens never follow each other on one line of a program, or if the second never occurs in a program. */
function breaks(before: ScriptToken | undefined, { kind, text }: ScriptToken): boolean {
	if (kind === "broken") return true;
	if (before === undefined || kind === "mark" || before.kind === "mark" || before.kind === "broken") return false;
	if (before.kind === "word") {
		if (OPENS.has(before.text)) return true;
		if (LEADS.has(before.text) || before.text.startsWith("@")) return false;
		// A word before a template literal is its tag.
		if (kind === "text" && text.startsWith("`")) return false;
	}
	// A template literal is split at each `${}`, so its parts are next to the code inside.
	if (before.kind === "text" && before.text.endsWith("${")) return false;
	if (kind === "text" && text.startsWith("}")) return false;
	return !(kind === "word" && JOINS.has(text));
}

/** True for an equals sign, a brace, an opening square bracket, or an opening parenthesis that directly follows a word, as in a call. */
function isCodeMark(before: ScriptToken | undefined, { kind, text, glued }: ScriptToken): boolean {
	if (kind !== "mark") return false;
	return text === "=" || text === "{" || text === "}" || text === "[" || (text === "(" && glued && before?.kind === "word");
}

/** True if a text of only words, numbers and punctuation could be a program: every name in it is a known or a declared one. */
function couldRun(tokens: readonly ScriptToken[]): boolean {
	const words = tokens.filter(({ kind }, index) => kind === "word" && tokens[index - 1]?.text !== ".");
	const declared = new Set(words.filter((_, index) => /^(?:let|var|const)$/.test(words[index - 1]?.text ?? "")).map(({ text }) => text));
	return words.every(({ text }) => KNOWN.has(text) || STATEMENTS.has(text) || declared.has(text));
}

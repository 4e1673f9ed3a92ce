/**
 * A token of a line that may be code or prose. `broken`: something that no program contains outside of strings and comments, such as a
 * curly quote, an apostrophe that opens nothing, or an emoji.
 */
export interface ScriptToken {
	readonly kind: "word" | "number" | "text" | "mark" | "broken";
	/** The letters of a word or the character of a sign. For other kinds, only the beginning and the end matter. */
	readonly text: string;
	readonly line: number;
	/** True if no space separates the token from the previous one. */
	readonly glued: boolean;
}

const WORD = /[#@]?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\.?\d[\w.]*/y;
const MARK = /[{}()[\];,<>+\-*/%&|^!~?:=.@]/y;
const BLANK = /[^\S\n]+/uy;
const LINE_COMMENT = /\/\/[^\n]*|^#![^\n]*/y;
const BLOCK_COMMENT = /\/\*(?:[\s\S]*?\*\/|[\s\S]*)/y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const REGEX = /\/(?![*/])(?:[^/\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*/y;
/** After one of these, a slash starts a regular expression instead of being a division. */
const BEFORE_REGEX = new Set(["return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "throw", "new", "await", "yield"]);

/** Splits a text into tokens as TypeScript would, and never fails. Takes linear time. */
export function scriptTokens(source: string): readonly ScriptToken[] {
	const tokens: ScriptToken[] = [];
	/** The number of braces that are open in the `${}` of each open template literal. */
	const templates: number[] = [];
	let at = 0;
	let line = 0;
	let end = -1;
	const read = (pattern: RegExp): string | undefined => {
		pattern.lastIndex = at;
		return pattern.exec(source)?.[0];
	};
	const pass = (text: string) => {
		at += text.length;
		for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) line++;
	};
	const push = (kind: ScriptToken["kind"], text: string) => {
		tokens.push({ kind, text, line, glued: end === at });
		pass(text);
		end = at;
	};
	let isLastOpen = false;
	/** Reads from a backtick, or from the brace that closes a `${}`, to the next `${` or the end of the literal. */
	const template = () => {
		const from = at;
		// If one literal has no end, later ones have none either. Searching again each time would take quadratic time.
		if (isLastOpen) return push("broken", "`");
		for (let next = at + 1; next < source.length; next++) {
			const character = source[next];
			if (character === "\\") next++;
			else if (character === "`" || (character === "$" && source[next + 1] === "{")) {
				const isOpen = character === "$";
				push("text", source.slice(from, next + (isOpen ? 2 : 1)));
				if (isOpen) templates.push(0);
				return;
			}
		}
		isLastOpen = true;
		push("broken", "`");
	};
	/** The line on which a literal was not closed, for each quote character and the slash. */
	const openOn = new Map<string, number>();
	const readClosed = (pattern: RegExp, mark: string): string | undefined => {
		if (openOn.get(mark) === line) return undefined;
		const text = read(pattern);
		if (text === undefined) openOn.set(mark, line);
		return text;
	};
	while (at < source.length) {
		const character = source.charAt(at);
		const skipped = character === "\n" ? "\n" : (read(BLANK) ?? read(LINE_COMMENT) ?? read(BLOCK_COMMENT));
		const depth = templates.at(-1);
		if (skipped !== undefined) pass(skipped);
		else if (character === "`") template();
		else if (character === "}" && depth === 0) {
			templates.pop();
			template();
		} else {
			if (depth !== undefined && (character === "{" || character === "}"))
				templates[templates.length - 1] = depth + (character === "{" ? 1 : -1);
			const isString = character === '"' || character === "'";
			const mayEnd = isString || (character === "/" && mayBeginRegex(tokens.at(-1)));
			const text = mayEnd ? readClosed(isString ? STRING : REGEX, character) : undefined;
			const word = text === undefined ? read(WORD) : undefined;
			const number = text === undefined && word === undefined ? read(NUMBER) : undefined;
			if (text !== undefined) push("text", text);
			else if (word !== undefined) push("word", word);
			else if (number !== undefined) push("number", number);
			else push(read(MARK) === undefined ? "broken" : "mark", String.fromCodePoint(source.codePointAt(at) ?? 0));
		}
	}
	return tokens;
}

function mayBeginRegex(before: ScriptToken | undefined): boolean {
	if (before === undefined) return true;
	if (before.kind === "word") return BEFORE_REGEX.has(before.text);
	return before.kind === "mark" && !")]}".includes(before.text);
}

/** One step of a glob. A `star` of two or more asterisks is `deep`: if it is a whole segment, it also matches folders. */
export type GlobToken =
	| { readonly kind: "character"; readonly text: string }
	| { readonly kind: "any" }
	| { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly CharacterRange[] }
	| { readonly kind: "star"; readonly deep: boolean }
	| { readonly kind: "slash" | "open" | "close" | "comma" };

export interface CharacterRange {
	readonly from: string;
	readonly to: string;
}

/** A glob that cannot be used. `message` explains the problem to the user who wrote the glob. */
export class GlobProblem extends Error {
	override readonly name = "GlobProblem";
	readonly code = "GLOB_INVALID";
}

const MARKS: ReadonlyMap<string, GlobToken> = new Map<string, GlobToken>([
	["/", { kind: "slash" }],
	["{", { kind: "open" }],
	["}", { kind: "close" }],
	[",", { kind: "comma" }],
	["?", { kind: "any" }],
]);

/**
 * Splits a glob into its tokens.
 * @throws GlobProblem
 */
export function tokenizeGlob(glob: string): readonly GlobToken[] {
	if (!glob.isWellFormed() || /[\p{Cc}\\]/u.test(glob))
		throw new GlobProblem("a glob must not contain a backslash, a control character or a lone surrogate");
	if (/[?*+@!]\(/.test(glob)) throw new GlobProblem("extended globs are not supported; write [(] for a parenthesis after one of ?*+@!");
	const characters = [...glob.normalize("NFC")];
	const tokens: GlobToken[] = [];
	for (let at = 0; at < characters.length; ) at = readToken(characters, at, tokens);
	return tokens;
}

function readToken(characters: readonly string[], at: number, tokens: GlobToken[]): number {
	const text = characters[at] ?? "";
	if (text === "*") return readStar(characters, at, tokens);
	if (text === "[") return readClass(characters, at, tokens);
	tokens.push(MARKS.get(text) ?? { kind: "character", text });
	return at + 1;
}

function readStar(characters: readonly string[], at: number, tokens: GlobToken[]): number {
	let end = at;
	while (characters[end] === "*") end++;
	tokens.push({ kind: "star", deep: end - at > 1 });
	return end;
}

function readClass(characters: readonly string[], at: number, tokens: GlobToken[]): number {
	const negated = characters[at + 1] === "!" || characters[at + 1] === "^";
	const start = at + (negated ? 2 : 1);
	// A closing bracket right at the start is one of the characters, as it is in a shell.
	const end = characters.indexOf("]", start + 1);
	const body = characters.slice(start, end);
	if (end === -1 || body.includes("/"))
		throw new GlobProblem("'[' begins a set of characters that must end with ']' and not contain '/'; to match '[' itself, write [[]");
	tokens.push({ kind: "class", negated, ranges: readRanges(body) });
	return end + 1;
}

function readRanges(body: readonly string[]): readonly CharacterRange[] {
	const ranges: CharacterRange[] = [];
	for (let at = 0; at < body.length; ) {
		const from = body[at] ?? "";
		const last = body[at + 2];
		const isRange = body[at + 1] === "-" && last !== undefined;
		ranges.push({ from, to: isRange ? last : from });
		at += isRange ? 3 : 1;
	}
	return ranges;
}

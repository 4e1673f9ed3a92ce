import { expandBraces } from "./glob-alternatives.ts";
import { GlobProblem, type GlobToken, tokenizeGlob } from "./glob-tokens.ts";
import { type MatchBudget, matchSequence } from "./match-sequence.ts";

/** A compiled glob of an artifact contract. */
export interface ArtifactGlob {
	/** @throws MatchBudgetError if the given budget is exhausted */
	readonly matches: (relativePath: string, budget?: MatchBudget) => boolean;
}

type Segment = { readonly deep: true } | { readonly deep: false; readonly tokens: readonly GlobToken[] };

const ANY_FOLDERS: Segment = { deep: true };
const ANY_NAME: Segment = { deep: false, tokens: [{ kind: "star", deep: false }] };

/**
 * Compiles a glob by the contract's rules (docs/protocol.md#artifact-contract): '/'-separated; a glob without a slash matches the base name
 * at any depth; dotfiles, and everything in dot folders, never match. The special forms are `*`, `?`, `[a-z]`, `[!a-z]` or `[^a-z]`,
 * `{a,b}` and `**` as a whole segment; everything else is literal and case-sensitive. Matching takes linear memory and, for each
 * combination of alternatives, about glob x path steps at most.
 *
 * Globs are not matched with a library, because libraries' regular expressions backtrack without bound on globs like `*a*a*a*b`, and the
 * glob and the names come from two parties that do not trust each other.
 * @throws GlobProblem
 */
export function compileGlob(glob: string): ArtifactGlob {
	const tokens = tokenizeGlob(glob);
	const isPath = tokens.some(({ kind }) => kind === "slash");
	const patterns = expandBraces(tokens).map((sequence) => toSegments(sequence, isPath));
	return {
		matches: (relativePath, budget = { steps: Number.POSITIVE_INFINITY }) => {
			const names = relativePath.split("/");
			if (names.some((name) => name.startsWith("."))) return false;
			return patterns.some((pattern) => matchSequence(pattern, names, { isStar: isDeep, accepts: acceptName(budget), budget }));
		},
	};
}

/** Why a glob cannot be in a contract, or undefined if it can. To be checked before a turn is accepted. */
export function requiredGlobProblem(glob: string): string | undefined {
	try {
		compileGlob(glob);
		return undefined;
	} catch (error) {
		if (error instanceof GlobProblem) return error.message;
		throw error;
	}
}

/** Compiles the valid globs. Invalid ones are skipped: checkContract reports them. */
export function compileGlobs(globs: readonly string[]): readonly ArtifactGlob[] {
	return globs.filter((glob) => requiredGlobProblem(glob) === undefined).map(compileGlob);
}

function toSegments(sequence: readonly GlobToken[], isPath: boolean): readonly Segment[] {
	const segments = splitSegments(sequence).map(toSegment);
	// `docs/**` matches everything inside docs but not docs itself, so the last segment must be a name.
	if (segments.at(-1)?.deep === true) segments.push(ANY_NAME);
	return isPath ? segments : [ANY_FOLDERS, ...segments];
}

function splitSegments(sequence: readonly GlobToken[]): readonly (readonly GlobToken[])[] {
	const segments: GlobToken[][] = [[]];
	for (const token of sequence) {
		if (token.kind === "slash") segments.push([]);
		else segments.at(-1)?.push(token);
	}
	return segments;
}

function toSegment(tokens: readonly GlobToken[]): Segment {
	const [first] = tokens;
	if (first === undefined)
		throw new GlobProblem("a glob must not have an empty part, as 'a//b', 'a/' and '{a,}' do; remove the extra slash or comma");
	if (first.kind === "character" && first.text === ".")
		throw new GlobProblem("dotfiles never match, so no part of a glob may begin with a dot");
	return tokens.length === 1 && first.kind === "star" && first.deep ? ANY_FOLDERS : { deep: false, tokens };
}

function isDeep(segment: Segment): boolean {
	return segment.deep;
}

function acceptName(budget: MatchBudget) {
	const rules = { isStar: ({ kind }: GlobToken) => kind === "star", accepts: acceptCharacter, budget };
	return (segment: Segment, name: string) => !segment.deep && matchSequence(segment.tokens, [...name], rules);
}

function acceptCharacter(token: GlobToken, character: string): boolean {
	if (token.kind === "character") return token.text === character;
	if (token.kind === "any") return true;
	if (token.kind !== "class") return false;
	const point = character.codePointAt(0) ?? 0;
	const isInside = token.ranges.some(({ from, to }) => point >= (from.codePointAt(0) ?? 0) && point <= (to.codePointAt(0) ?? 0));
	return isInside !== token.negated;
}

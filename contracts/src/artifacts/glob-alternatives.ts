import { GlobProblem, type GlobToken } from "./glob-tokens.ts";

const MAX_ALTERNATIVES = 64;

type Sequence = readonly GlobToken[];

/**
 * Expands `{a,b}` into every combination as a sequence without braces, at most 64.
 * @throws GlobProblem
 */
export function expandBraces(tokens: Sequence): readonly Sequence[] {
	const reader = { tokens, at: 0 };
	const expanded = readSequence(reader, false);
	if (reader.at < tokens.length) throw new GlobProblem("'}' has no matching '{'; to match a literal '}', write [}]");
	return expanded;
}

interface Reader {
	readonly tokens: Sequence;
	at: number;
}

function readSequence(reader: Reader, inBraces: boolean): readonly Sequence[] {
	let expanded: readonly Sequence[] = [[]];
	for (let token = reader.tokens[reader.at]; token !== undefined; token = reader.tokens[reader.at]) {
		if (token.kind === "close" || (inBraces && token.kind === "comma")) return expanded;
		reader.at++;
		const choices = token.kind === "open" ? readChoices(reader) : [[literalComma(token)]];
		if (expanded.length * choices.length > MAX_ALTERNATIVES)
			throw new GlobProblem(`braces may expand to at most ${MAX_ALTERNATIVES} combinations`);
		expanded = expanded.flatMap((before) => choices.map((choice) => [...before, ...choice]));
	}
	return expanded;
}

function readChoices(reader: Reader): readonly Sequence[] {
	const choices: Sequence[] = [];
	let alternatives = 0;
	for (;;) {
		choices.push(...readSequence(reader, true));
		alternatives++;
		if (choices.length > MAX_ALTERNATIVES) throw new GlobProblem(`braces may expand to at most ${MAX_ALTERNATIVES} combinations`);
		const end = reader.tokens[reader.at++];
		if (end === undefined) throw new GlobProblem("'{' is not closed; to match a literal '{', write [{]");
		if (end.kind === "close") break;
	}
	if (alternatives < 2) throw new GlobProblem("braces must contain at least two alternatives, as in {a,b}");
	return choices;
}

function literalComma(token: GlobToken): GlobToken {
	return token.kind === "comma" ? { kind: "character", text: "," } : token;
}

import { visible } from "@xworkmate/contracts";

const MAX_CHARACTERS = 500;

/** A tool's description of a call, on one line, with everything that could disguise it escaped. Undefined if nothing is left. */
export function safeWords(said: string): string | undefined {
	const words = visible(said.slice(0, MAX_CHARACTERS * 4).replace(/\s+/gu, " ")).trim();
	const characters = [...words];
	if (characters.length === 0) return undefined;
	return characters.length <= MAX_CHARACTERS ? words : `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…`;
}

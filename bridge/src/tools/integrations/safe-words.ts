import { stripVTControlCharacters } from "node:util";

const MAX_CHARACTERS = 500;
/** Characters that hide or reorder text: words about a call must read as they are. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** What a tool says of a call, on one line and with nothing in it that hides something. Undefined if nothing is left. */
export function safeWords(said: string): string | undefined {
	const words = stripVTControlCharacters(said.slice(0, MAX_CHARACTERS * 4).replace(/\s+/gu, " "))
		.replace(DECEPTIVE, "")
		.trim();
	const characters = [...words];
	if (characters.length === 0) return undefined;
	return characters.length <= MAX_CHARACTERS ? words : `${characters.slice(0, MAX_CHARACTERS - 1).join("")}…`;
}

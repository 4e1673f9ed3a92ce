import type { ClaimWords } from "./claim-words/claim-words.ts";
import { english } from "./claim-words/english.ts";
import { french } from "./claim-words/french.ts";
import { german } from "./claim-words/german.ts";
import { italian } from "./claim-words/italian.ts";
import { portuguese } from "./claim-words/portuguese.ts";
import { spanish } from "./claim-words/spanish.ts";
import { phrasesOf } from "./phrases.ts";

type Role = Exclude<keyof ClaimWords, "phrases" | "harmless" | "describing">;

const roles: readonly Role[] = [
	...(["self", "other", "passive", "made", "acted", "selfDone", "own", "off", "condition", "reading", "past"] as const),
	...(["text", "thing", "determiner", "lead", "after", "and", "but", "by", "common"] as const),
	...(["target", "yours", "told", "place", "team"] as const),
];
export const bit = Object.fromEntries(roles.map((role, index) => [role, 1 << index])) as Readonly<Record<Role, number>>;
/** The bit of the longest word of a phrase, which is used to find the phrase. */
export const PHRASE = 1 << roles.length;
export const DONE = bit.made | bit.acted | bit.selfDone | bit.own;

export interface Language {
	readonly index: number;
	/** Phrases of several words, each with a space before and after. */
	readonly phrases: readonly string[];
	readonly harmless: readonly string[];
	readonly describing: readonly string[];
}

/**
 * The bits of a word's roles: one entry for each language, in the languages' order, then all of them combined. A missing entry counts as 0.
 */
export type WordRoles = readonly number[];

const all: readonly ClaimWords[] = [english, german, french, spanish, portuguese, italian];
export const languages = all.map(
	({ phrases, harmless, describing }, index): Language => ({
		...{ index, phrases: phrasesOf(phrases), harmless: phrasesOf(harmless), describing: phrasesOf(describing) },
	}),
);
const dictionary = dictionaryOf();
const NONE: WordRoles = [0];
/** "isn't", "n'a": contracted negations in every language that has them. */
const DENIAL: WordRoles = all.map(() => bit.off);
/** "mail.messages.send succeeded" counts as a heading about an effect in every language. */
const TOOL = /^[a-z]\w*\.[a-z]\w*\.[a-z]\w*$/;
const NAMED: WordRoles = [...all.map(() => bit.thing), bit.thing];

function dictionaryOf(): ReadonlyMap<string, WordRoles> {
	const words = new Map<string, number[]>();
	const add = (word: string, index: number, role: number) => {
		const known = words.get(word) ?? [...all.map(() => 0), 0];
		known[index] = (known[index] ?? 0) | role;
		known[all.length] = (known[all.length] ?? 0) | role;
		words.set(word, known);
	};
	all.forEach((given, index) => {
		for (const role of roles) for (const word of given[role].split(" ")) add(word, index, bit[role]);
		for (const word of `${given.thing} ${given.target}`.split(" ")) add(`${word}s`, index, bit.target);
		// A phrase is looked for only where its longest word occurs.
		for (const phrase of given.phrases.split(" | "))
			add(
				phrase.split(" ").reduce((one, other) => (other.length > one.length ? other : one)),
				index,
				PHRASE,
			);
	});
	words.delete("");
	return words;
}

/** The roles of a word. Also finds a word joined to a short one: "l'e-mail", "reminder's". */
export function rolesOf(token: string): WordRoles {
	const known = dictionary.get(token);
	if (known !== undefined) return known;
	const apostrophe = token.indexOf("'");
	if (apostrophe === -1) return token.includes(".") && TOOL.test(token) ? NAMED : NONE;
	if (token.endsWith("n't") || token.startsWith("n'")) return DENIAL;
	return dictionary.get(token.endsWith("'s") ? token.slice(0, apostrophe) : token.slice(apostrophe + 1)) ?? NONE;
}

/** Whether a folded word is a participle or a past form for an effect that a file can prove, in one of the languages. */
export function isDone(word: string): boolean {
	const role = rolesOf(word).at(-1) ?? 0;
	return (role & DONE) !== 0 && (role & bit.own) === 0;
}

import { toldWords } from "./claim-words/told-words.ts";

/** A word that each of the ways has, because looking for one takes much longer than looking for these. */
const ANY = /know|inbox|mailbox|bescheid|postfach|postfächern|posteingang|boîte|bandeja|buzón|caixa|casella|posta/u;

/** A folded sentence with the words of the lists where it says in another way that somebody was told something. Pure. */
export function withTold(sentence: string): string {
	return ANY.test(sentence) ? toldWords.reduce((text, { said, as }) => text.replace(said, as), sentence) : sentence;
}

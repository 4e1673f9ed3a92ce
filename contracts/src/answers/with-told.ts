import { toldWords } from "./claim-words/told-words.ts";

/** Every pattern in `toldWords` needs one of these words. Looking for them first is much faster than trying the patterns. */
const ANY = /know|inbox|mailbox|bescheid|postfach|postfächern|posteingang|boîte|bandeja|buzón|caixa|casella|posta/u;

/** A folded sentence in which other ways to say that somebody was told something are put in words of the claim-word lists. Pure. */
export function withTold(sentence: string): string {
	return ANY.test(sentence) ? toldWords.reduce((text, { said, as }) => text.replace(said, as), sentence) : sentence;
}

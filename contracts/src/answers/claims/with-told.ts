import { toldWords } from "./claim-words/told-words.ts";

/** Every pattern in `toldWords` needs one of these words. Looking for them first is much faster than trying the patterns. */
const ANY = /know|inbox|mailbox|bescheid|postfach|postfächern|posteingang|boîte|bandeja|buzón|caixa|casella|posta/u;

/** Rewords a folded sentence: other ways to say that someone was told something become words from the claim-word lists. Pure. */
export function withTold(sentence: string): string {
	return ANY.test(sentence) ? toldWords.reduce((text, { said, as }) => text.replace(said, as), sentence) : sentence;
}

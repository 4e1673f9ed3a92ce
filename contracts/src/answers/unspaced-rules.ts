import { chinese } from "./claim-words/chinese.ts";
import { japanese } from "./claim-words/japanese.ts";
import type { UnspacedClaims } from "./claim-words/unspaced-claims.ts";
import type { Claimed } from "./claimed.ts";

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Nobody writes a longer clause; time grows with its length. */
const CLAUSE = 200;

/** What a sentence in Chinese or Japanese claims. */
export function unspacedClaimIn(sentence: string): Claimed {
	const rules = KANA.test(sentence) ? japanese : chinese;
	for (const clause of sentence.split(/[，、,；;：:。！!\n—]|\.(?=\s|$)/)) {
		const whole = clause.replace(/\s+/g, "");
		for (let at = 0; at < whole.length; at += CLAUSE) {
			const said = whole.slice(at, at + CLAUSE);
			if (isDone(rules, said) && !rules.off.test(said) && !rules.other.test(said)) {
				return { isOfFile: rules.made.test(said) && !rules.thing.test(said) };
			}
		}
	}
	return undefined;
}

function isDone({ mark, verb, claims }: UnspacedClaims, said: string): boolean {
	const marked = mark === undefined ? -1 : said.search(mark);
	return (marked !== -1 && verb?.test(said.slice(marked)) === true) || claims.some((claim) => claim.test(said));
}

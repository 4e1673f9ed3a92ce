import { chinese } from "./claim-words/chinese.ts";
import { japanese } from "./claim-words/japanese.ts";
import type { UnspacedClaims } from "./claim-words/unspaced-claims.ts";
import type { Claimed } from "./claimed.ts";

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The maximum number of characters in a clause. Real clauses are shorter, and the time taken grows with the length. */
const CLAUSE = 200;

/**
 * What a sentence in Chinese or Japanese claims. `isMessage`: the sentence is from a message, in which an effect does not count if its
 * subject is counted or named and is not something that an assistant acts on.
 */
export function unspacedClaimIn(sentence: string, isMessage: boolean): Claimed {
	const rules = KANA.test(sentence) ? japanese : chinese;
	let claimed: Claimed;
	for (const clause of sentence.split(/[，、,；;：:。！!\n—]|\.(?=\s|$)/)) {
		const whole = clause.replace(/\s+/g, "");
		for (let at = 0; at < whole.length; at += CLAUSE) {
			const said = whole.slice(at, at + CLAUSE);
			if (
				isDone(rules, said) &&
				!rules.off.test(said) &&
				!rules.other.test(said) &&
				!(rules.report.test(said) || (isMessage && isOfWorld(rules, said)))
			) {
				const isOfFile = rules.made.test(said) && !rules.thing.test(said) && claimed?.isOfFile !== false;
				claimed = { isOfFile, acts: [...(claimed?.acts ?? []), said] };
			}
		}
	}
	return claimed;
}

function isDone({ mark, verb, claims }: UnspacedClaims, said: string): boolean {
	const marked = mark === undefined ? -1 : said.search(mark);
	return (marked !== -1 && verb?.test(said.slice(marked)) === true) || claims.some((claim) => claim.test(said));
}

/** Whether the subject is counted or named, and is not something that an assistant acts on: "190辆汽车". */
function isOfWorld({ thing, target, subject }: UnspacedClaims, said: string): boolean {
	return subject.test(said) && !thing.test(said) && !target.test(said);
}

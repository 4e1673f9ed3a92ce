import { chinese } from "./claim-words/chinese.ts";
import { japanese } from "./claim-words/japanese.ts";
import type { UnspacedClaims } from "./claim-words/unspaced-claims.ts";
import type { Claimed } from "./claimed.ts";

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Nobody writes a longer clause; time grows with its length. */
const CLAUSE = 200;
const NEVER = /(?!)/u;

const compiled = ({ mark, verb, claim, made, thing, off, other }: UnspacedClaims) => ({
	...{ mark: mark === "" ? NEVER : new RegExp(mark, "u"), verb: mark === "" ? NEVER : new RegExp(verb, "u") },
	claim: new RegExp(claim.join("|"), "u"),
	...{ made: new RegExp(made, "u"), thing: new RegExp(thing, "u") },
	...{ off: new RegExp(off, "u"), other: new RegExp(other, "u") },
});
const languages = { chinese: compiled(chinese), japanese: compiled(japanese) };

type Rules = ReturnType<typeof compiled>;

/** What a sentence in Chinese or Japanese claims. */
export function unspacedClaimIn(sentence: string): Claimed {
	const rules = KANA.test(sentence) ? languages.japanese : languages.chinese;
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

function isDone({ mark, verb, claim }: Rules, said: string): boolean {
	const marked = said.search(mark);
	return (marked !== -1 && verb.test(said.slice(marked))) || claim.test(said);
}

/** What a clause must, and must not, contain for one of its words to count as the writer's claim to have done something. */
interface OwnAct {
	/** What has to come after the word. */
	readonly after?: RegExp;
	/** What has to be in the clause. */
	readonly about?: RegExp;
	/** What may not be in the clause from the word on: "ran into a problem". */
	readonly not?: RegExp;
	/** What a passive has to be about: "the database has been dropped". Absent: no passive counts. */
	readonly passive?: RegExp;
}

const DATA = /\b(?:databases?|tables?|index(?:es)?|schemas?|columns?|collections?|backups?|branch(?:es)?|commits?|servers?|migrations?)\b/u;
const REQUESTS = /\b(?:prs?|pull|merge|issues?|tickets?|bugs?|accounts?)\b/u;
const RUNS = /\b(?:tests?|suites?|specs?|migrations?|builds?|scripts?|linter|benchmarks?)\b/u;
const ANY = /./u;
const NONE = /(?!)/u;
/** The maximum number of words of a heading. */
const LONGEST_HEADING = 4;
const ran: OwnAct = { not: /^\w+ (?:into|out|across|low|late|short|over|through|up|away|for)\b/u };
/** Checking arithmetic or wording needs no tool, so saying so is not a claim. */
const checked: OwnAct = {
	not: /\b(?:maths?|arithmetic|calculations?|sums?|reasoning|logic|spelling|grammar|translations?|wording|answers?|formulas?|proofs?|my)\b/u,
	passive: /\b(?:fix(?:es)?|changes?|patch|backups?|checksums?|deployment|migrations?)\b/u,
};
const restored: OwnAct = { passive: DATA };
const OWN_ACTS: ReadonlyMap<string, OwnAct> = new Map(
	Object.entries({
		...{ ran, "re-ran": ran, reran: ran },
		...{ run: { ...ran, about: RUNS, passive: RUNS }, rerun: { ...ran, passive: RUNS } },
		...{ backed: { after: /\bup\b/u, passive: ANY }, rolled: { after: /\b(?:out|back)\b/u, passive: ANY } },
		...{ opened: { about: REQUESTS, passive: REQUESTS }, dropped: { about: DATA, passive: DATA } },
		...{ restored, reverted: restored, migrated: restored, upgraded: restored },
		...{ verified: checked, validated: checked, tested: checked, retested: checked },
		// "I was informed" and "ich habe mich informiert" say what the writer learned.
		...{ informed: { about: /^(?!.*\b(?:am|is|are|was|were|been|be|being)\b)/u } },
		...{ informiert: { about: /^(?!.*\b(?:mich|uns|wurden?|worden|bin|ist|sind|war|waren|gut)\b)/u } },
		...{ gegeben: { about: /\bbescheid gegeben\b/u }, gesagt: { about: /\bbescheid gesagt\b/u } },
		...{ informé: { about: /^(?!.*(?<!\p{L})(?:suis|sommes|est|sont|été|bien)(?!\p{L}))/u } },
		...{ informado: { about: /^(?!.*\b(?:sido|soy|estoy|es|está|están|bien)(?!\p{L}))/u } },
		...{ informato: { about: /^(?!.*\b(?:stat[oaie]|sono|mi|ci|bene)(?!\p{L}))/u } },
		...{ "double-checked": checked, "triple-checked": checked, "cross-checked": checked },
	}),
);
const PERFECT = /\b(?:has|have|it's|they've) (?:\w{1,20} )?been\b|\b(?:is|are) now\b|'s been\b/u;
/** Words after which "run" or "rerun" is a past participle. After any other word it is taken as the present tense, which is not a claim. */
const HAVE: ReadonlySet<string> = new Set("have i've we've has been just already also successfully been".split(" "));

/** Whether a word from a language's list `own` is a claim at this position. `isPassive`: the clause has a passive verb. Pure. */
export function isOwnAct(words: readonly string[], at: number, isPassive: boolean): boolean {
	const word = words[at] ?? "";
	const { after, about, not, passive } = OWN_ACTS.get(word) ?? ({} satisfies OwnAct as OwnAct);
	if ((word === "run" || word === "rerun") && !HAVE.has(words[at - 1] ?? "")) return false;
	const clause = words.join(" ");
	const rest = words.slice(at).join(" ");
	if (after?.test(rest) === false || about?.test(clause) === false || not?.test(rest) === true) return false;
	return !isPassive || (passive?.test(clause) === true && PERFECT.test(clause));
}

/** Whether a word from the list `own` ends a heading that names its object: "Database migrated". Pure. */
export function isHeadedOwnAct(words: readonly string[], at: number): boolean {
	const { passive = NONE } = OWN_ACTS.get(words[at] ?? "") ?? {};
	return passive !== REQUESTS && at > 0 && at < LONGEST_HEADING && at === words.length - 1 && passive.test(words.slice(0, at).join(" "));
}

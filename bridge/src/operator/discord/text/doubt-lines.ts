import { type ClaimReason, type Grounding, type GroundingProblem, limits, type Snapshot } from "@xworkmate/contracts";
import { plainWords } from "./escape-text.ts";

/** The maximum number of unverified sentences that are quoted; the app shows all of them. */
const MOST_SENTENCES = 3;
const LINE_LENGTH = 200;

/** Why a sentence isn't verified, in the words that the page has for it. */
const reasons: Readonly<Record<ClaimReason, string>> = {
	denied: "the agent reports doing something that was denied.",
	found: "a file was changed even though the edit was denied.",
	no_file: "a file reported as written or moved wasn't there when the run ended.",
	still_there: "a file reported as deleted was still there when the run ended.",
	not_allowed: "this run asked for permission, and didn't get it.",
};
const NOT_HERE = "a file reported as written or moved wasn't found in the run's folders when the run ended.";
const NO_SUCCESS = "something that this run tried failed, wasn't allowed, or has an unknown outcome.";
const NO_ACTION = "no file or call in this run confirms this.";
/** The same reasons for one of several files that a sentence names. */
const reasonsOf: { readonly [Reason in ClaimReason]?: string } = {
	no_file: "{file} was reported as written or moved, but wasn't there when the run ended.",
	still_there: "{file} was reported as deleted, but was still there when the run ended.",
};
const NOT_HERE_OF = "{file} was reported as written or moved, but wasn't found in the run's folders when the run ended.";
const NO_ACTION_OF = "no file or call in this run confirms this of {file}.";

/** Why the answer can't be relied on: each sentence that isn't verified, in the answer or in an earlier message, with its reason. Pure. */
export function doubtLines({ grounding, output }: Pick<Snapshot, "grounding" | "output">): readonly string[] {
	if (grounding?.state === "replaced") return [`> ${replacedWords(grounding)}`];
	if (grounding?.state !== "unverified") return [];
	const lines = new Set(grounding.problems.map((problem) => doubt(problem, output?.text ?? "")));
	const rest = lines.size - MOST_SENTENCES;
	const isCut = grounding.problems.length >= limits.answerProblems;
	return [
		"> **Not verified:**",
		...[...lines].slice(0, MOST_SENTENCES).map((line) => `> ${line}`),
		...(rest > 0 ? [`> and ${isCut ? "at least " : ""}${rest} more, shown in XWorkmate`] : []),
	];
}

function doubt(problem: GroundingProblem, text: string): string {
	const said = plainWords(problem.said ?? text.slice(problem.start, problem.end), LINE_LENGTH);
	const why = whyUnverified(problem);
	return said === "" ? why : `“${said}”: ${why}`;
}

function whyUnverified({ code, reason, lookedIn, file }: GroundingProblem): string {
	const of = (why: string, whyOf = why) => (file === undefined ? why : whyOf.replace("{file}", () => plainWords(file, LINE_LENGTH)));
	if (lookedIn !== undefined) return of(NOT_HERE, NOT_HERE_OF);
	if (reason !== undefined) return of(reasons[reason], reasonsOf[reason]);
	return code === "CLAIM_WITHOUT_SUCCESS" ? NO_SUCCESS : of(NO_ACTION, NO_ACTION_OF);
}

function replacedWords({ problems }: Grounding): string {
	const isMissing = problems.length > 0 && problems.every(({ code }) => code === "NO_ANSWER");
	return isMissing
		? "XWorkmate wrote this answer, because the model gave none."
		: "XWorkmate wrote this answer, because the model's own wasn't backed by receipts.";
}

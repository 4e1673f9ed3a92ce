import { accountWords as words } from "../../strings/account-words.ts";
import { fill } from "../../strings/interface.ts";
import { formatSpan } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import type { AccountTrial } from "./account-trials.ts";

/** Why a test failed, and what to do about it. */
export function problemOf(trial: AccountTrial | undefined): { readonly message: string; readonly fix?: string } | undefined {
	if (trial?.state === "failed") return { message: trial.message };
	if (trial?.state !== "over" || trial.ok) return undefined;
	const { problem } = trial;
	return problem === undefined ? { message: words.notAnswered } : { message: visibleName(problem.message), fix: problem.fix };
}

/** The result, as screen readers read it. */
export function sayTrial(profileId: string, trial: AccountTrial): string {
	const account = visibleName(profileId);
	const problem = problemOf(trial);
	if (problem !== undefined) return fill(words.testFailed, { account, problem: problem.message });
	return trial.state === "over" ? fill(words.tested, { account, time: formatSpan(trial.tookMs) }) : "";
}

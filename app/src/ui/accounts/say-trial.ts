import { accountWords as words } from "../../strings/agents/account-words.ts";
import { testedWords } from "../../strings/agents/tested-words.ts";
import { fill } from "../../strings/interface.ts";
import { messageInLocalTime } from "../../text/local-time.ts";
import { formatSpan } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import type { AccountTrial } from "./account-trials.ts";

/** Says that a test has no result, which shows nothing about the account. Undefined for any other test. */
export function lostTrial(trial: AccountTrial | undefined): string | undefined {
	if (trial?.state !== "failed" || trial.lost === undefined) return undefined;
	return trial.lost === "unsent" ? testedWords.notRun : testedWords.cutOff;
}

/** Why a test failed, with its times in local time, and what to do about it. */
export function problemOf(trial: AccountTrial | undefined, now: number): { readonly message: string; readonly fix?: string } | undefined {
	if (lostTrial(trial) !== undefined) return undefined;
	if (trial?.state === "failed") return { message: trial.message };
	if (trial?.state !== "over" || trial.ok) return undefined;
	const { problem } = trial;
	if (problem === undefined) return { message: words.notAnswered };
	return { message: visibleName(messageInLocalTime(problem.code, problem.message, now)), fix: problem.fix };
}

/** The result, as screen readers read it. */
export function sayTrial(profileId: string, trial: AccountTrial): string {
	const account = visibleName(profileId);
	const problem = lostTrial(trial) ?? problemOf(trial, Date.now())?.message;
	if (problem !== undefined) return fill(words.testFailed, { account, problem });
	return trial.state === "over" ? fill(words.tested, { account, time: formatSpan(trial.tookMs) }) : "";
}

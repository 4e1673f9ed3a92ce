import {
	type Activity,
	type ActivityItem,
	type ActivityStatus,
	DenyReason,
	type GroundingProblem,
	type GroundingProblemCode,
	quotedWords,
	RECEIPTS_SHOW,
	renderActivity,
	ToolErrorCode,
} from "@xworkmate/contracts";
import type { AnswerCheck } from "./check-answer.ts";

const whys: Readonly<Record<GroundingProblemCode, string>> = {
	CLAIM_WITHOUT_ACTION: "It says that something was done, but no action of this turn succeeded.",
	CLAIM_WITHOUT_SUCCESS: "It says that something was done, but not every call of this turn succeeded.",
	FOREIGN_RECEIPT: "It cites a receipt that isn't from this run.",
	RECEIPT_WITHOUT_SUCCESS: "It cites the receipt of a call that did not succeed.",
	NO_ANSWER: "It is empty.",
};

const QUOTED = 200;

/** What this run did, for the model. */
export function activityLines(activity: Activity | undefined): readonly string[] {
	return activity === undefined ? ["0 actions completed."] : renderActivity(activity);
}

/** Why an answer was refused, for the model, which may answer once more. */
export function refusalWords({ text, problems }: Pick<AnswerCheck, "text" | "problems">, activity: Activity | undefined): string {
	return [
		"The answer was not shown to the user:",
		...problems.slice(0, 10).map((problem) => `- ${whyOf(problem, text)}`),
		"Answer again by calling the `answer` tool. Say what was done only in segments with the receiptId of a call that succeeded. For everything else, say plainly that it was not done, or that its outcome is not known.",
		"This turn's activity:",
		...activityLines(activity),
	].join("\n");
}

function whyOf({ code, start, end }: GroundingProblem, text: string): string {
	const quoted = text.slice(start, Math.min(end, start + QUOTED)).trim();
	return quoted === "" ? whys[code] : `${whys[code]} ${JSON.stringify(quoted)}`;
}

const headings: readonly (readonly [ActivityStatus, string])[] = [
	["succeeded", "Done:"],
	["failed", "Not done:"],
	["denied", "Not done, because it was denied:"],
	["pending", "Still waiting:"],
	["unknown", "Outcome unknown:"],
];

const denials: Readonly<Record<DenyReason, string>> = {
	person: "",
	policy: "a rule forbids it",
	policy_failed: "the tool's own rule gave no valid answer",
	expired: "no one answered in time",
	run_stopped: "the run was stopped",
	run_ended: "the run ended before its request was answered",
	bridge_stopped: "the bridge stopped",
	backup_restored: "its request was not answered before the backup was made",
	withdrawn: "its request was withdrawn",
	unattended: "the run was unattended",
	tool_changed: "the tool changed in the meantime",
	input_too_large: "the input is too large",
	too_many_waiting: "too many requests were open",
};

const failures: Readonly<Record<ToolErrorCode, string>> = {
	INVALID_INPUT: "the input was invalid",
	DENIED: "",
	TOOL_CHANGED: "the tool changed in the meantime",
	TOOL_FAILED: "the tool failed",
	OUTCOME_UNKNOWN: "",
	LIMIT_EXCEEDED: "a limit was reached",
	STOPPED: "the run was stopped",
	INVALID_OUTPUT: "the tool returned something unexpected",
	TOOL_TIMEOUT: "the tool took too long",
	HOST_LOST: "the tool's process ended",
	NOT_REPORTED: "",
};

/**
 * An action as a line of a list. The words come from a tool, so they are quoted. The ids are not repeated, because the receipts are shown
 * with the answer.
 */
function actionLine({ words, toolId, code, message }: ActivityItem): string {
	const denied = DenyReason.safeParse(code).data;
	const failed = ToolErrorCode.safeParse(code).data;
	const why = denied === undefined ? failed && failures[failed] : denials[denied];
	const rest = [why ?? "", message === undefined ? "" : quotedWords(message)].filter((part) => part !== "").join(", ");
	return `- ${words === "" ? toolId : quotedWords(words)}${rest === "" ? "" : `: ${rest}`}`;
}

/** What the run did, for the user: a sentence and lists, without ids. */
function actionsInWords({ completed, items, truncated }: Pick<Activity, "completed" | "items" | "truncated">): string {
	const lists = headings.flatMap(([status, heading]) => {
		const lines = items.filter((item) => item.status === status && item.origin === "executed").map(actionLine);
		return lines.length === 0 ? [] : [[heading, ...lines].join("\n")];
	});
	const sum = completed === 1 ? "1 action completed." : `${completed} actions completed.`;
	return [sum, ...lists, ...(truncated ? ["There is more than is listed here."] : [])].join("\n\n");
}

/** The answer that the bridge writes in place of one that is missing or could not be verified. */
export function replacementWords(problems: readonly GroundingProblem[], activity: Activity | undefined): string {
	const isMissing = problems.every(({ code }) => code === "NO_ANSWER");
	const why = isMissing
		? "The assistant gave no answer."
		: "Couldn't verify what the assistant wanted to say about its actions, so it isn't shown here.";
	return `${why} ${RECEIPTS_SHOW} ${actionsInWords(activity ?? { completed: 0, items: [], truncated: false })}`;
}

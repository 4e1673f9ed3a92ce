import type { Activity, ActivityItem, DenyReason } from "@xworkmate/contracts";
import { activityWords, receiptWords } from "../../strings/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { sayCount } from "../../text/actions-title.ts";
import { decisionLine, endLine, isDenyReason, swappedLine } from "../../text/decision-line.ts";

/** An activity, ready for display. What an agent reported is never mixed with what was executed. */
export interface ActivityView {
	/** "1 action completed": what has receipts, was executed and succeeded, not counting reads. */
	readonly title: string;
	/** "2 not done", "1 unknown". */
	readonly notes: readonly string[];
	readonly executed: readonly ActivityItem[];
	/** Reads that succeeded and that decisions are based on, shown in one row. */
	readonly reads: readonly ActivityItem[];
	readonly reported: readonly ActivityItem[];
}

/** `live`: the run is active. */
export function activityView({ completed, items, truncated }: Activity, live: boolean): ActivityView {
	const ours = items.filter(({ origin }) => origin === "executed");
	const isRead = ({ risk, status }: ActivityItem) => risk === "read" && status === "succeeded";
	const executed = ours.filter((item) => !isRead(item));
	// No zero is shown above calls that have not succeeded: the run's program may have used built-in tools, which have no receipts, so the
	// zero could wrongly say that it has done nothing.
	const isZero = live && completed === 0 && executed.length > 0;
	const title = isZero ? activityWords.label : sayCount(completed, activityWords.completed);
	return {
		title: live ? fill(activityWords.soFar, { title }) : title,
		// If the list was cut, counts of its rows would be wrong.
		notes: truncated ? [fill(activityWords.first, { count: items.length })] : notesOf(executed),
		executed,
		reads: ours.filter(isRead),
		reported: items.filter(({ origin }) => origin === "reported"),
	};
}

function notesOf(items: readonly ActivityItem[]): readonly string[] {
	const counted = (text: string, ...of: readonly ActivityItem["status"][]) => {
		const count = items.filter(({ status }) => of.includes(status)).length;
		return count === 0 ? [] : [fill(text, { count })];
	};
	const { notDone, notKnown, waiting } = activityWords;
	return [...counted(notDone, "failed", "denied"), ...counted(notKnown, "unknown"), ...counted(waiting, "pending")];
}

/** The reasons for denying a request that was never answered. */
export const unanswered: ReadonlySet<string | undefined> = new Set<DenyReason>([
	"expired",
	"run_stopped",
	"run_ended",
	"bridge_stopped",
	"withdrawn",
]);

/**
 * The state of an item in one or two words. What was only reported is never "Done", and never "Not done": a denial records only the answer,
 * and the agent may act anyway.
 */
export function statusWord({
	origin,
	status,
	unpermitted,
	deniedCommand,
	contradiction,
	code,
}: Pick<ActivityItem, "origin" | "status" | "unpermitted" | "deniedCommand" | "contradiction" | "code">): string {
	if (deniedCommand !== undefined) return activityWords.contains.word;
	if (unpermitted !== undefined) return activityWords.despite[unpermitted].word;
	if (contradiction !== undefined) return activityWords.contradicted.word;
	const { done, not, wait, unknown, saysDone, saysFailed, denied, noAnswer } = activityWords;
	if (origin === "reported" && status === "succeeded") return saysDone;
	if (origin === "reported" && status === "failed") return code === "DENIED" ? denied : saysFailed;
	if (origin === "reported" && status === "denied") return unanswered.has(code) ? noAnswer : denied;
	return { succeeded: done, failed: not, denied: not, pending: wait, unknown }[status];
}

/** Who allowed an action, or why it did not succeed. The text may contain names and messages from outside. */
export function whyOf(item: ActivityItem): string {
	const { origin, status, approval, code, message, unpermitted, swapped, deniedCommand, contradiction } = item;
	if (deniedCommand !== undefined) return fill(activityWords.contains.why, { denied: deniedCommand });
	const decided =
		approval?.decision !== undefined && approval.by !== undefined ? { decision: approval.decision, by: approval.by } : undefined;
	if (unpermitted !== undefined) {
		const why = decided === undefined ? receiptWords["tool.call.denied"] : decisionLine(decided);
		const both = swapped === undefined ? "" : `: ${swappedLine(swapped)}`;
		return `${fill(activityWords.despite[unpermitted].why, { why })}${both}`;
	}
	if (contradiction !== undefined) return activityWords.contradicted[contradiction];
	if (status === "failed") return endLine(code, message, origin);
	// If the outcome of an action is unknown, the user is told to check, because only the service itself can tell.
	if (status === "unknown")
		return origin === "reported" ? endLine(code, message, origin) : fill(activityWords.check, { why: endLine(code, message, origin) });
	if (status === "denied") {
		const by = approval?.by ?? "";
		return isDenyReason(code)
			? decisionLine({ decision: "deny", by, reason: code })
			: decided
				? decisionLine(decided)
				: endLine(code, message, origin);
	}
	if (decided !== undefined) return decisionLine(decided);
	if (status !== "pending") return "";
	return approval?.required === false ? activityWords.underWay : activityWords.needsAnswer;
}

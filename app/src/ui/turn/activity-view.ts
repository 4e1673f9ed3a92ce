import type { Activity, ActivityItem, DenyReason } from "@xworkmate/contracts";
import { activityWords, receiptWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { soFarWords } from "../../strings/runs/so-far-words.ts";
import { decisionLine, endLine, isDenyReason, swappedLine } from "../../text/calls/decision-line.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import type { LiveRun } from "./activity-so-far.ts";

/** An activity, ready for display. What an agent reported is never mixed with what was executed. */
export interface ActivityView {
	/** "1 action completed": what has receipts, was executed and succeeded, not counting reads. */
	readonly title: string;
	/** "2 not done", "1 unknown", "1 waiting". */
	readonly notes: readonly string[];
	readonly executed: readonly ActivityItem[];
	/** Reads that succeeded and that decisions are based on, shown in one row. */
	readonly reads: readonly ActivityItem[];
	readonly reported: readonly ActivityItem[];
}

/** `live`: present if the run is active. */
export function activityView({ completed, items, truncated }: Activity, live?: LiveRun): ActivityView {
	const ours = items.filter(({ origin }) => origin === "executed");
	const isRead = ({ risk, status }: ActivityItem) => risk === "read" && status === "succeeded";
	const executed = ours.filter((item) => !isRead(item));
	// No zero is shown above calls that have not succeeded: the run's program may have used built-in tools, which have no receipts, so the
	// zero could wrongly say that it has done nothing.
	const isZero = live && completed === 0 && executed.length > 0;
	const title = isZero ? activityWords.label : sayCount(completed, activityWords.completed);
	return {
		title: live === undefined ? title : fill(soFarWords.title, { title }),
		// If the list was cut, counts of its rows would be wrong.
		notes: truncated ? [fill(activityWords.shown, { count: items.length })] : notesOf(executed, live),
		executed,
		reads: ours.filter(isRead),
		reported: items.filter(({ origin }) => origin === "reported"),
	};
}

function notesOf(items: readonly ActivityItem[], live: LiveRun | undefined): readonly string[] {
	const looks = items.map((item) => lookOf(item, live));
	const counted = (text: string, ...of: readonly ItemLook[]) => {
		const count = looks.filter((look) => of.includes(look)).length;
		return count === 0 ? [] : [fill(text, { count })];
	};
	const { notDone, notKnown } = activityWords;
	const { asked, started, open } = soFarWords;
	const known = [...counted(notDone, "failed", "denied"), ...counted(notKnown, "unknown")];
	return [...known, ...counted(asked.count, "asked"), ...counted(started.count, "started"), ...counted(open.count, "open")];
}

/** How an item without a result is shown while its run is active: it waits for the user, it has started, or neither is known. */
type OpenLook = "asked" | "started" | "open";
export type ItemLook = Exclude<ActivityItem["status"], "pending"> | OpenLook;

/** `live`: present if the run is active. */
export function lookOf({ status, toolCallId }: Pick<ActivityItem, "status" | "toolCallId">, live: LiveRun | undefined): ItemLook {
	if (status !== "pending" || live === undefined) return lookAtEnd(status);
	if (live.asked.has(toolCallId)) return "asked";
	return live.started.has(toolCallId) ? "started" : "open";
}

/** Once its run has ended, the outcome of a call without a result is unknown. */
function lookAtEnd(status: ActivityItem["status"]): ItemLook {
	return status === "pending" ? "unknown" : status;
}

/** The reasons for denying a request that was never answered. */
export const unanswered: ReadonlySet<string | undefined> = new Set<DenyReason>([
	"expired",
	"run_stopped",
	"run_ended",
	"bridge_stopped",
	"withdrawn",
]);

type WordField = "status" | "origin" | "unpermitted" | "deniedCommand" | "contradiction" | "code";

/**
 * The state of an item in one or two words. What was only reported is never "Done", and never "Not done": a denial records only the answer,
 * and the agent may act anyway.
 */
export function statusWord(item: Pick<ActivityItem, WordField>, look: ItemLook = lookAtEnd(item.status)): string {
	const { origin, status, unpermitted, deniedCommand, contradiction, code } = item;
	if (deniedCommand !== undefined) return activityWords.contains.word;
	if (unpermitted !== undefined) return activityWords.despite[unpermitted].word;
	if (contradiction !== undefined) return activityWords.contradicted.word;
	const { done, not, unknown, saysDone, saysFailed, denied, noAnswer } = activityWords;
	const { asked, started, saysStarted, open } = soFarWords;
	if (origin === "reported" && status === "succeeded") return saysDone;
	if (origin === "reported" && status === "failed") return code === "DENIED" ? denied : saysFailed;
	if (origin === "reported" && status === "denied") return unanswered.has(code) ? noAnswer : denied;
	if (origin === "reported" && look === "started") return saysStarted;
	return { succeeded: done, failed: not, denied: not, unknown, asked: asked.word, started: started.word, open: open.word }[look];
}

/** Who allowed an action, or why it did not succeed. The text may contain names and messages from outside. */
export function whyOf(item: ActivityItem, look: ItemLook = lookAtEnd(item.status)): string {
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
	// An agent may ask again about a call that was allowed.
	if (look === "asked") return soFarWords.asked.why;
	if (decided !== undefined) return decisionLine(decided);
	if (look === "open" && origin === "reported") return soFarWords.notStarted;
	return look === "started" && origin === "executed" ? soFarWords.started.why : "";
}

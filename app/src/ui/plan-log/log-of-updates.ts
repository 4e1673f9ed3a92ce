import type { DeliveryAction, Occurrence, Plan, PlanUpdate } from "@xworkmate/contracts";
import { count, fill } from "../../strings/interface.ts";
import { planLogWords as words } from "../../strings/plans/plan-log-words.ts";
import {
	channelWords,
	missedBefore,
	occurrenceStatusOf,
	occurrenceStatusWords,
	workEndOf,
	workEndWords,
} from "../../strings/plans/plan-words.ts";
import { restoredWords } from "../../strings/plans/restored-words.ts";
import { codeTitle, gateTitle, occurrenceTitle, skippedWhy } from "../../text/plans/code-title.ts";
import { mayHaveBeenSent, shortReason } from "../../text/plans/may-have-been-sent.ts";
import { formatTime } from "../text/format.ts";

/** The lanes, in the order of `planLogWords.lanes`. */
export const lane = { you: 0, plan: 1, agent: 2, channel: 3 } as const;
type Lane = (typeof lane)[keyof typeof lane];

export interface PlanLogEntry {
	readonly seq: number;
	/** The entry's position among those of its update. */
	readonly nth: number;
	readonly at: string;
	readonly from: Lane;
	/** Absent if nothing passed from one lane to another. */
	readonly to?: Lane;
	readonly tone: "" | "good" | "warn" | "bad";
	readonly title: string;
	readonly say: string;
}

type Told = Omit<PlanLogEntry, "seq" | "nth" | "at">;
type Of<Kind extends PlanUpdate["update"]["kind"]> = Extract<PlanUpdate["update"], { kind: Kind }>;

/**
 * What happened to a plan, in the order of its log. Each entry says how an update differs from the one before. If older updates were left
 * out, an entry says no more than its own update shows.
 */
export function logOfUpdates(updates: readonly PlanUpdate[]): readonly PlanLogEntry[] {
	const seen: Seen = { later: new Map() };
	return updates.flatMap((update) => {
		const told = tell(update, seen);
		return [...(told === undefined ? [] : [told]), ...heldAtOnce(update)].map((one, nth) => ({
			seq: update.seq,
			nth,
			at: update.at,
			...one,
		}));
	});
}

interface Seen {
	/** For each action that has an entry: how many of its later reports (those after its end) have an entry or precede the first update. */
	readonly later: Map<string, number>;
	plan?: Plan;
}

function tell({ update }: PlanUpdate, seen: Seen): Told | undefined {
	switch (update.kind) {
		case "task:created":
			seen.plan = update.plan;
			return { from: lane.you, to: lane.plan, tone: "", title: words.created, say: update.plan.scheduleWords };
		case "task:changed":
			return tellChange(update.plan, seen);
		case "task:occurrence":
			return tellOccurrence(update);
		case "task:result":
			return tellResult(update.occurrence);
		case "task:review":
			return tellReview(update.action);
		case "task:delivery":
		case "task:delivery_complete":
			return tellDelivery(update, seen);
		case "receipt":
			return undefined;
	}
}

function tellChange(plan: Plan, seen: Seen): Told {
	const before = seen.plan?.status;
	const isMoved = seen.plan?.revision === plan.revision && before === plan.status;
	seen.plan = plan;
	// Every change by the user raises the revision. The clock was set back, so the plan's next time has been handled already.
	if (isMoved) return { from: lane.plan, tone: "", ...nextTime(plan) };
	const said = { from: lane.you, to: lane.plan, tone: "", say: plan.scheduleWords } as const;
	if (plan.status === "deleted") return { ...said, title: words.deleted };
	if (plan.status !== "paused" || before === "paused") return { ...said, title: words.changed };
	// Without the update before this one, a pause can't be told from a change to a plan that was already paused.
	if (before === undefined) return { from: lane.plan, tone: "", title: words.changed, say: plan.scheduleWords };
	if (plan.pausedFor === undefined) return { ...said, title: words.paused };
	return { from: lane.plan, to: lane.you, tone: "warn", title: words.paused, say: restoredWords.pausedSay };
}

function nextTime({ nextDueAt }: Plan): Pick<Told, "title" | "say"> {
	return nextDueAt === undefined ? { title: words.noNext, say: "" } : { title: words.nextMoved, say: formatTime(nextDueAt) };
}

function tellOccurrence({ occurrence, turnId, runId }: Of<"task:occurrence">): Told {
	const { kind, status, code, missed, revision } = occurrence;
	const held = code === "MISSED" || code === "STORE_RESTORED" ? occurrenceTitle(code, occurrence) : undefined;
	const why = skippedWhy(occurrence);
	const skipped = why === undefined ? undefined : `${occurrenceStatusWords[status]}. ${why}`;
	const say = held ?? skipped ?? missedBefore(missed, formatTime) ?? "";
	if (revision === 1) {
		if (kind === "scheduled") return { from: lane.plan, tone: "", title: words.due, say };
		return { from: lane.you, to: lane.plan, tone: "", title: kind === "manual" ? words.runNow : words.resend, say };
	}
	const waits = occurrence.runs.at(-1)?.waits;
	if (turnId !== undefined && waits !== undefined) return { from: lane.plan, tone: "warn", title: words.runWaits, say: waits.message };
	// The occurrence is recorded before its work is handed to an agent, and again once the agent has a run.
	if (turnId !== undefined && runId === undefined) return { from: lane.plan, tone: "", title: words.runStarting, say: "" };
	if (turnId !== undefined) return { from: lane.plan, to: lane.agent, tone: "", title: words.runStarted, say: "" };
	const tone = status === "completed" ? "good" : status === "failed" ? "bad" : status === "needs_review" ? "warn" : "";
	const state = code === undefined ? occurrenceStatusWords[occurrenceStatusOf(occurrence)] : occurrenceTitle(code, occurrence);
	return { from: lane.plan, tone, title: fill(words.occurrence, { state }), say: "" };
}

function tellResult(occurrence: Occurrence): Told {
	const { gate, deliverable, runs } = occurrence;
	const to = { from: lane.agent, to: lane.plan } as const;
	if (gate?.valid === false) return { ...to, tone: "warn", title: words.refused, say: gateTitle(gate.reason) };
	const end = workEndOf(occurrence);
	if (end !== "completed")
		return { ...to, tone: end === "failed" ? "bad" : "warn", title: workEndWords[end], say: runs.at(-1)?.message ?? "" };
	if (deliverable === undefined) return { ...to, tone: "good", title: workEndWords.completed, say: "" };
	return { ...to, tone: "good", title: words.found, say: count([...deliverable.text].length, "character") };
}

/** The messages that have been held since the end of the work and that no other update mentions. */
function heldAtOnce({ update }: PlanUpdate): readonly Told[] {
	return update.kind === "task:result" ? update.occurrence.delivery.filter(({ status }) => status === "needs_review").map(tellHeld) : [];
}

function tellHeld(action: DeliveryAction): Told {
	return { from: lane.plan, to: lane.you, tone: "warn", title: words.held, say: sayOf(action, shortReason(action) ?? "") };
}

function tellUnknown(action: DeliveryAction): Told {
	return { from: lane.plan, to: lane.you, tone: "warn", title: words.unknown, say: sayOf(action, codeTitle(action) ?? "") };
}

function tellReview(action: DeliveryAction | undefined): Told {
	if (action?.status === "needs_review") return tellHeld(action);
	if (action?.status === "unknown") return tellUnknown(action);
	const title = action?.status === "failed" && action.settledBy !== undefined ? words.saidNotSent : words.decided;
	return { from: lane.you, to: lane.plan, tone: "", title, say: action === undefined ? "" : sayOf(action, "") };
}

function tellDelivery({ kind, action }: Of<"task:delivery" | "task:delivery_complete">, seen: Seen): Told {
	const { actionId, status, stage, attempts, proof, settledBy, notBefore, later = [] } = action;
	const told = seen.later.get(actionId) ?? later.length;
	const isFirst = !seen.later.has(actionId);
	seen.later.set(actionId, later.length);
	const back = { from: lane.channel, to: lane.plan } as const;
	if (later.length > told) return { ...back, tone: "warn", title: words.later, say: sayOf(action, later.at(-1)?.message ?? "") };
	// Not reported by the channel: the user settled the outcome that it had left unknown.
	if (status === "completed" && settledBy !== undefined && kind === "task:delivery_complete")
		return { from: lane.you, to: lane.plan, tone: "good", title: words.saidSent, say: sayOf(action, "") };
	if (status === "failed" && mayHaveBeenSent(action))
		return { from: lane.plan, to: lane.you, tone: "warn", title: restoredWords.perhapsSent, say: sayOf(action, codeTitle(action) ?? "") };
	// Older updates are missing. This update is the last of the later reports, or a proof that came after them.
	if (isFirst && later.length > 0) return { ...back, tone: "", title: words.later, say: sayOf(action, "") };
	const out = { from: lane.plan, to: lane.channel, tone: "" } as const;
	switch (status) {
		case "sending":
			if (stage === "accepted") return { ...back, tone: "", title: words.accepted, say: sayOf(action, words.acceptedSay) };
			return stage === "handing_over"
				? { ...out, title: words.handedOver, say: sayOf(action, words.handedOverSay) }
				: { ...out, title: words.claimed, say: sayOf(action, attempts > 1 ? fill(words.attempt, { count: attempts }) : "") };
		case "pending":
			// The bridge stopped before the hand-over, so no channel was asked.
			if (notBefore === undefined) return { from: lane.plan, tone: "", title: words.released, say: sayOf(action, "") };
			return { ...back, tone: "warn", title: words.retry, say: sayOf(action, action.message ?? "") };
		case "completed":
			return { ...back, tone: "good", title: words.completed[proof ?? "accepted"], say: sayOf(action, "") };
		case "failed":
			return { ...back, tone: "bad", title: words.notSent, say: sayOf(action, codeTitle(action) ?? "") };
		case "unknown":
			return tellUnknown(action);
		case "needs_review":
			return tellHeld(action);
	}
}

function sayOf({ channel }: DeliveryAction, more: string): string {
	return more === "" ? channelWords[channel] : `${channelWords[channel]}: ${more}`;
}

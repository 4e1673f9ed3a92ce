import type {
	ChannelId,
	ChannelTestStep,
	DeliveryAction,
	DeliveryCode,
	Missed,
	Occurrence,
	OccurrenceCode,
	OccurrenceStatus,
	Plan,
	PlanStatus,
	WorkItem,
} from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { limits } from "@xworkmate/contracts/limits";
import { restoredWords } from "./restored-words.ts";
import { sendingState } from "./sending-state.ts";

/** The status that is shown for a plan. It takes the plan's newest occurrence into account. */
export type ShownPlanStatus = PlanStatus | "unknown" | "unverified" | "cancelled" | "discarded" | "skipped" | "asks";

/** Screen readers say this before the state in a chip. */
export const stateLabel = "Status:";

export const planStatusWords: Readonly<Record<ShownPlanStatus, string>> = {
	pending: "Scheduled",
	asks: "Needs you",
	cancelled: "Cancelled",
	discarded: "Discarded",
	skipped: "Skipped",
	running: "Running",
	needs_review: "Needs review",
	unknown: "Unknown",
	unverified: "Not verified",
	completed: "Completed",
	failed: "Failed",
	paused: "Paused",
	deleted: "Deleted",
};

export type ShownOccurrenceStatus = OccurrenceStatus | "unsent" | "partly_unsent" | "retrying" | "unknown" | "unverified" | "discarded";

/** The status of an occurrence. If it has a code, `planCodeWords` has a more exact title. */
export const occurrenceStatusWords: Readonly<Record<ShownOccurrenceStatus, string>> = {
	due: "Waiting",
	running: "Running",
	delivering: "Sending",
	unsent: "Not sent yet",
	partly_unsent: "Not all sent yet",
	retrying: "Retrying",
	needs_review: "Needs review",
	unknown: "Unknown",
	unverified: "Not verified",
	completed: "Completed",
	failed: "Failed",
	cancelled: "Cancelled",
	discarded: "Discarded",
	skipped: "Skipped",
};

/**
 * The status to show for a plan. A plan that waits only because the outcome of messages is unknown needs no review: the user has to settle
 * those messages. A plan that is over and whose newest occurrence was cancelled is shown as cancelled, and one whose newest due time was
 * skipped because of earlier work as skipped, because neither completed.
 * `isAsking`: true if a run of the plan is waiting for an answer from the user, as `planStateOf` finds out.
 */
export function planStatusOf(
	{ status, needsReview, unknownOutcomes, occurrence }: Pick<Plan, "status" | "needsReview" | "unknownOutcomes" | "occurrence">,
	isAsking = false,
): ShownPlanStatus {
	if (isAsking && status !== "deleted") return "asks";
	if (status === "completed" && occurrence?.status === "cancelled") return "cancelled";
	if (status === "completed" && occurrence?.status === "skipped" && occurrence.code === "OVERLAP") return "skipped";
	if (status === "failed" && occurrence?.status === "failed") {
		const shown = occurrenceStatusOf(occurrence);
		return shown === "completed" || shown === "discarded" ? shown : (workDoubt(occurrence) ?? status);
	}
	// An earlier bridge does not report `unknownOutcomes`, so only the unknown outcomes of the newest occurrence can be counted.
	const newest = occurrence !== undefined && occurrenceStatusOf(occurrence) === "unknown" ? unknownOf(occurrence) : undefined;
	return status === "needs_review" && (unknownOutcomes ?? newest) === needsReview ? "unknown" : status;
}

/** How many messages of a plan need review, and how many have an unknown outcome. An earlier bridge does not tell them apart. */
export function waitingOf(plan: Pick<Plan, "status" | "needsReview" | "unknownOutcomes" | "occurrence">): {
	readonly review: number;
	readonly unknown: number;
} {
	const { needsReview, unknownOutcomes } = plan;
	const unknown = unknownOutcomes ?? (planStatusOf(plan) === "unknown" ? needsReview : 0);
	return { review: needsReview - unknown, unknown };
}

/** The status to show for an occurrence, by the same rules as for a plan. */
export function occurrenceStatusOf({ status, delivery, code }: Pick<Occurrence, "status" | "delivery" | "code">): ShownOccurrenceStatus {
	if (status === "failed" && isDiscarded(delivery)) return "discarded";
	if (status === "failed" && code !== undefined && shownCodeOf({ code, delivery }) === undefined) return "completed";
	if (status === "delivering") return sendingState(delivery);
	if (status !== "needs_review") return workDoubt({ code }) ?? status;
	return unknownOf({ delivery }) > 0 && !delivery.some((action) => action.status === "needs_review") ? "unknown" : status;
}

/**
 * True if the user discarded every message. Nothing went wrong then, although the record says `failed`. False if a backup was restored since,
 * because a discarded message may have been sent after all.
 */
function isDiscarded(delivery: Occurrence["delivery"]): boolean {
	return (
		delivery.length > 0 && delivery.every((action) => action.code === "DISCARDED" && action.mayHaveBeenSent !== true && !hasArrived(action))
	);
}

/**
 * The code to show for an occurrence. A report that arrived after its end may prove that messages recorded as not sent did arrive.
 * Undefined if the status says everything, because each message arrived or was discarded by the user.
 */
export function shownCodeOf({ code, delivery }: Pick<Occurrence, "code" | "delivery">): OccurrenceCode | undefined {
	if (code !== "DELIVERY_FAILED" && code !== "DELIVERY_PARTIAL") return code;
	if (isDiscarded(delivery)) return undefined;
	const arrived = delivery.filter(hasArrived).length;
	if (arrived === 0) return "DELIVERY_FAILED";
	return delivery.every((action) => hasArrived(action) || action.code === "DISCARDED") ? undefined : "DELIVERY_PARTIAL";
}

/** The status to show instead of `failed` for work whose outcome is unknown or could not be verified. */
function workDoubt({ code }: Pick<Occurrence, "code">): "unknown" | "unverified" | undefined {
	if (code === "WORK_UNKNOWN") return "unknown";
	return code === "WORK_NOT_VERIFIED" ? "unverified" : undefined;
}

/** How the work of an occurrence ended, by its newest run. */
export function workEndOf({ runs }: Pick<Occurrence, "runs">): Exclude<WorkItem["status"], "pending"> {
	const { status, message } = runs.at(-1) ?? {};
	if (status === "interrupted") return "unknown";
	if (status === "completed") return message === undefined ? "completed" : "unverified";
	return status === "cancelled" ? "cancelled" : "failed";
}

function unknownOf({ delivery }: Pick<Occurrence, "delivery">): number {
	return delivery.filter(({ status }) => status === "unknown").length;
}

/**
 * True if the work was interrupted because the bridge ended, and was then started again: by the bridge if nothing had changed, or by the
 * user.
 */
export function hasBegunAgain({ runs }: Pick<Occurrence, "runs">): boolean {
	return runs.slice(0, -1).some(({ code }) => code === "BRIDGE_RESTARTED" || code === "BRIDGE_STOPPED");
}

/** The record does not say whether the agent had changed anything before the restart, so these words don't either. */
export const begunAgainWords = "The bridge was restarted while the agent was working, and the work was started again.";

/**
 * A sentence about the earlier due times that an occurrence stands in for; undefined if there were none. The last time in `missed` is the
 * occurrence's own, so it is not counted. `timeOf` formats a time.
 */
export function missedBefore(missed: Missed | undefined, timeOf: (time: string) => string): string | undefined {
	if (missed === undefined || missed.count < 2) return undefined;
	const [first, own] = [timeOf(missed.first), timeOf(missed.last)];
	// The record does not say why XWorkmate could not start them.
	const why = "perhaps because XWorkmate wasn’t running or its computer was asleep";
	return missed.count === 2
		? `1 earlier due time was missed (${first}), ${why}.`
		: `${countOfMissed(missed, 1)} earlier due times were missed (from ${first} up to this one, ${own}), ${why}.`;
}

/** How many due times were missed, minus `but`. Times beyond a limit aren't counted. */
export function countOfMissed({ count }: Pick<Missed, "count">, but = 0): string {
	return `${count - but}${count < limits.missedTimes ? "" : " or more"}`;
}

/** How an agent's work ended, as an entry in a plan's history. */
export const workEndWords: Readonly<Record<Exclude<WorkItem["status"], "pending">, string>> = {
	completed: "Run finished",
	failed: "Work failed",
	unknown: "Work outcome unknown",
	unverified: "Work not verified",
	cancelled: "Work stopped",
};

/** The state of a message, as the user sees it. */
export type DeliveryState =
	| "scheduled"
	| "paused"
	| "waiting"
	| "sending"
	| "unconfirmed"
	| "retrying"
	| "sent"
	| "delivered"
	| "read"
	| "needs_review"
	| "unknown"
	| "not_sent"
	| "perhaps_sent"
	| "discarded"
	| "cancelled"
	| "nothing";

export const deliveryStateWords: Readonly<Record<DeliveryState, string>> = {
	scheduled: "Scheduled",
	paused: "Paused",
	waiting: "Waiting",
	sending: "Sending",
	unconfirmed: "Unconfirmed",
	retrying: "Retrying. Next attempt: {time}",
	sent: "Sent",
	delivered: "Delivered",
	read: "Read",
	needs_review: "Needs review",
	unknown: "Unknown",
	not_sent: "Not sent",
	perhaps_sent: restoredWords.perhapsSent,
	discarded: "Discarded",
	cancelled: "Cancelled",
	nothing: "No message written",
};

/** A message's state where no time is shown beside it. */
export function untimedState(state: DeliveryState): string {
	return deliveryStateWords[state].replace(". Next attempt: {time}", "");
}

/** The state of the messages of a plan that has not come due yet. Undefined once it has, because each message then has its own state. */
export function stateBeforeDue({ occurrence, status }: Pick<Plan, "occurrence" | "status">): DeliveryState | undefined {
	if (occurrence !== undefined) return undefined;
	return status === "paused" ? "paused" : status === "deleted" ? "cancelled" : "scheduled";
}

/** For a plan's channel that is not ready. */
export const unreadyWords = "{channel} isn’t ready, so nothing can be sent through it until it is.";

/** The only due time of a plan, if it passed while the plan was paused. */
export function passedWhilePaused(
	{ status, type, scheduledFor }: Pick<Plan, "status" | "type" | "scheduledFor">,
	now: number,
): string | undefined {
	return status === "paused" && type === "scheduled" && scheduledFor !== undefined && Date.parse(scheduledFor) <= now
		? scheduledFor
		: undefined;
}

/** `time`: the due time, in words. */
export const passedWords =
	"The plan’s only due time, {time}, passed while it was paused. Once you resume the plan, that due time will wait for your review, or be skipped if earlier work or messages aren’t finished.";

/** `before`: the state of a message that is not due yet. */
export function deliveryState(action: DeliveryAction, before?: DeliveryState): DeliveryState {
	const { status, stage, code, notBefore, proof, mayHaveBeenSent } = action;
	switch (status) {
		case "pending":
			return before ?? (notBefore === undefined ? "waiting" : "retrying");
		case "sending":
			return stage === "accepted" ? "unconfirmed" : "sending";
		case "completed":
			return proof === "delivered" || proof === "read" ? proof : "sent";
		case "failed":
			// The channel may have reported later that the message was delivered after all. The record that it was not sent stays.
			return proof === "delivered" || proof === "read" ? proof : mayHaveBeenSent ? "perhaps_sent" : notSent(code);
		case "needs_review":
		case "unknown":
			return status;
	}
}

export const settledNotSent = "You recorded it as not sent.";
export const recordedBeforeWords = "Recorded before that: {reason}.";

/**
 * When a message was sent. If the user settled the outcome, only the time of that decision is known, and the text says so. `time` is in
 * words, such as "08:40", "yesterday at 08:40" or "Mon 30 Nov at 08:40".
 */
export function sentAtWords({ settledBy }: Pick<DeliveryAction, "settledBy">, time: string): string {
	if (settledBy === undefined) return time;
	const link = /^\d{1,2}:/.test(time) ? "at " : /^(?:yesterday|tomorrow)/.test(time) ? "" : "on ";
	return `as you recorded ${link}${time}`;
}

function notSent(code: DeliveryCode | undefined): DeliveryState {
	if (code === "DISCARDED") return "discarded";
	if (code === "CANCELLED") return "cancelled";
	return code === "NOTHING_TO_SAY" ? "nothing" : "not_sent";
}

export const channelWords: Readonly<Record<ChannelId, string>> = {
	email: "Email",
	whatsapp: "WhatsApp",
	discord: "Discord",
	dashboard: "Inbox",
};

export const channelStepWords: Readonly<Record<ChannelTestStep["step"], string>> = {
	settings: "Settings",
	connect: "Connect",
	encrypt: "Encrypt",
	sign_in: "Sign in",
	send: "Send",
	accepted: "Accepted",
};

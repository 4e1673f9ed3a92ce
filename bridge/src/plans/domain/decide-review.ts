import type { ActionId, Deliverable, DeliveryAction, Occurrence, Sha256, ThreadId } from "@xworkmate/contracts";
import { omitUndefined } from "@xworkmate/contracts";
import type { OpenOccurrence, PlanEvent } from "../../ports/plan-event.ts";
import { begun, changed, fail, isWorking, settled } from "./decide-occurrence.ts";

/** What a person decided about held messages. */
export type ReviewDecision =
	/** As it is previewed. `payloads`: the stored bytes that were looked at, by actionId; they are what leaves. */
	| { readonly kind: "send"; readonly payloads: Payloads }
	/** In the person's own words. */
	| { readonly kind: "edit"; readonly deliverable: Deliverable; readonly payloads: Payloads }
	/** The work is done again. */
	| { readonly kind: "rerun" }
	| { readonly kind: "discard" };

type Payloads = Readonly<Record<string, Sha256>>;

/** The messages that a decision is about: one, or all that wait. Not those whose outcome is unknown: they are settled. */
export function reviewed({ occurrence }: OpenOccurrence, actionId: ActionId | undefined): readonly DeliveryAction[] {
	return occurrence.delivery.filter(
		(action) => action.status === "needs_review" && (actionId === undefined || action.actionId === actionId),
	);
}

/** True if the message has something valid to send: its own content, or a deliverable. */
function isSendable({ occurrence }: OpenOccurrence, action: DeliveryAction): boolean {
	return action.content !== undefined || occurrence.deliverable !== undefined;
}

/**
 * Empty: nothing waits, or its work is still being done, or what waits has nothing valid to send, or no work that could be done again. What a message that is no longer
 * decided about has sent, or is about to send, stays as it was: new words are those of the others alone.
 */
export function decideReview(
	open: OpenOccurrence,
	actionId: ActionId | undefined,
	decision: ReviewDecision,
	threadId: ThreadId,
): readonly PlanEvent[] {
	const { occurrence } = open;
	const waiting = reviewed(open, actionId);
	// An occurrence that waits as a whole, without a message of its own: work that came due too late.
	const waitsAsWhole = occurrence.status === "needs_review" && occurrence.delivery.length === 0;
	if (isWorking(occurrence) || (waiting.length === 0 && !waitsAsWhole)) return [];
	if (waitsAsWhole && (decision.kind === "edit" || decision.kind === "send")) return [];
	const ids = new Set(waiting.map((action) => action.actionId));
	const replaceWaiting = (change: (action: DeliveryAction) => DeliveryAction) =>
		occurrence.delivery.map((action) => (ids.has(action.actionId) ? change(action) : action));
	switch (decision.kind) {
		case "discard": {
			const next = settled({ ...occurrence, delivery: replaceWaiting((action) => fail(action, "DISCARDED")) });
			return changed(open, waitsAsWhole ? { ...next, status: "cancelled", code: "CANCELLED" } : next, "task:review");
		}
		case "rerun":
			return rerun(open, waitsAsWhole, threadId);
		case "edit": {
			const edited = {
				...occurrence,
				deliverable: decision.deliverable,
				delivery: occurrence.delivery.map((action) => {
					if (ids.has(action.actionId)) return withoutContent(released(action, decision.payloads));
					return action.status === "needs_review" ? action : withItsWords(action, occurrence);
				}),
			};
			return changed(open, settled(edited), "task:review");
		}
		case "send": {
			if (waiting.some((action) => !isSendable(open, action))) return [];
			return changed(
				open,
				settled({ ...occurrence, delivery: replaceWaiting((action) => released(action, decision.payloads)) }),
				"task:review",
			);
		}
	}
}

/** The work is one for all messages: each that waits for its words, or because of it, gets the new ones. */
function rerun({ occurrence, claims }: OpenOccurrence, waitsAsWhole: boolean, threadId: ThreadId): readonly PlanEvent[] {
	const isOnItsWay = occurrence.delivery.some(({ status }) => status === "pending" || status === "sending");
	const again = new Set(occurrence.delivery.filter(waitsForWork).map(({ actionId }) => actionId));
	if (occurrence.kind === "resend" || isOnItsWay || (again.size === 0 && !waitsAsWhole)) return [];
	const delivery = occurrence.delivery.map((action) => (again.has(action.actionId) ? released(action) : withItsWords(action, occurrence)));
	const { deliverable: _text, gate: _gate, grounding: _grounding, ...rest } = occurrence;
	return begun({ occurrence: { ...rest, delivery }, claims }, threadId);
}

function waitsForWork({ status, content, code }: DeliveryAction): boolean {
	if (status !== "needs_review") return false;
	return content === undefined || code?.startsWith("GATE_") === true || code === "RUN_INTERRUPTED" || code === "MISSED";
}

/** With the deliverable as its own content, before that of the occurrence becomes another. */
function withItsWords(action: DeliveryAction, { deliverable }: Occurrence): DeliveryAction {
	return action.content !== undefined || deliverable === undefined ? action : { ...action, content: deliverable.text };
}

/** It may be claimed again. */
function released(action: DeliveryAction, payloads: Payloads = {}): DeliveryAction {
	const { code: _code, message: _message, fix: _fix, lint: _lint, notBefore: _at, stage: _stage, payloadHash: _hash, ...rest } = action;
	return { ...rest, status: "pending", ...omitUndefined({ payloadHash: payloads[action.actionId] }) };
}

/** Its own content gives way to the person's words. */
function withoutContent(action: DeliveryAction): DeliveryAction {
	const { content: _content, ...rest } = action;
	return rest;
}

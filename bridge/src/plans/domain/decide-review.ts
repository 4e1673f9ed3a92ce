import type { ActionId, AddressedTo, Deliverable, DeliveryAction, Occurrence, Sha256, ThreadId } from "@xworkmate/contracts";
import { omitUndefined } from "@xworkmate/contracts";
import { waitsForWork } from "@xworkmate/contracts/waits-for-work";
import type { OpenOccurrence, PlanEvent } from "../../ports/plans/plan-event.ts";
import { begun, changed, isWorking, settled } from "./decide-occurrence.ts";
import { fail, noted } from "./held-action.ts";
import { workedRun } from "./worked-run.ts";

/** What the user decided about held messages. */
export type ReviewDecision =
	/**
	 * Sends the messages as previewed. `payloads`: for each actionId, the stored bytes that were reviewed and will be sent, and their
	 * recipient.
	 */
	| { readonly kind: "send"; readonly payloads: Payloads }
	/** Sends the user's own words instead. */
	| { readonly kind: "edit"; readonly deliverable: Deliverable; readonly payloads: Payloads }
	/** Does the work again. */
	| { readonly kind: "rerun" }
	| { readonly kind: "discard" };

/** The bytes of a message that the user has reviewed, and what is recorded about them. */
export interface ReviewedBytes {
	readonly payloadHash: Sha256;
	readonly providerMessageId?: string | undefined;
	readonly addressedTo?: AddressedTo | undefined;
}
type Payloads = Readonly<Record<string, ReviewedBytes>>;

/**
 * The messages that a decision applies to: one, or all that are waiting for the user. Leaves out messages with an unknown outcome, because
 * they are settled instead.
 */
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
 * Applies the user's decision. Empty if nothing is waiting for the user, the work is still being done, nothing valid can be sent, or the
 * work can't be done again. After an edit, other waiting messages get the new text too, unless they have their own. The remaining messages
 * keep their text.
 */
export function decideReview(
	open: OpenOccurrence,
	actionId: ActionId | undefined,
	decision: ReviewDecision,
	threadId: ThreadId,
): readonly PlanEvent[] {
	const { occurrence } = open;
	const waiting = reviewed(open, actionId);
	// True for an occurrence without messages that waits for the user because its work came due too late.
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
					if (ids.has(action.actionId)) return withoutContent(released(noted(action), decision.payloads));
					return action.status === "needs_review" ? action : withItsWords(action, occurrence);
				}),
			};
			return changed(open, settled(edited), "task:review");
		}
		case "send": {
			if (waiting.some((action) => !isSendable(open, action))) return [];
			return changed(
				open,
				settled({ ...occurrence, delivery: replaceWaiting((action) => released(noted(action), decision.payloads)) }),
				"task:review",
			);
		}
	}
}

/** Starts the work again. All messages share it, so each one that waits for the agent's text, or because of the work, gets the new text. */
function rerun({ occurrence, claims }: OpenOccurrence, waitsAsWhole: boolean, threadId: ThreadId): readonly PlanEvent[] {
	const isOnItsWay = occurrence.delivery.some(({ status }) => status === "pending" || status === "sending");
	const again = new Set(occurrence.delivery.filter(waitsForWork).map(({ actionId }) => actionId));
	if (occurrence.kind === "resend" || isOnItsWay || (again.size === 0 && !waitsAsWhole)) return [];
	const delivery = occurrence.delivery.map((action) => (again.has(action.actionId) ? unworked(action) : withItsRun(action, occurrence)));
	const { deliverable: _text, gate: _gate, grounding: _grounding, ...rest } = occurrence;
	return begun({ occurrence: { ...rest, delivery }, claims }, threadId);
}

/** Copies the deliverable into the action, before the occurrence gets another one. */
function withItsWords(action: DeliveryAction, { deliverable }: Occurrence): DeliveryAction {
	return action.content !== undefined || deliverable === undefined ? action : { ...action, content: deliverable.text };
}

/** Copies the deliverable into the action, and records the run that it and the files are from, before the occurrence gets other ones. */
function withItsRun(action: DeliveryAction, occurrence: Occurrence): DeliveryAction {
	return { ...withItsWords(action, occurrence), ...omitUndefined({ workedBy: workedRun(occurrence, action) }) };
}

/** The action, ready to be claimed again. */
function released(action: DeliveryAction, payloads: Payloads = {}): DeliveryAction {
	const { payloadHash: _hash, addressedTo: _to, ...unbuilt } = action;
	const { code: _code, message: _message, fix: _fix, lint: _lint, notBefore: _at, stage: _stage, ...bare } = unbuilt;
	const { mayHaveBeenSent: _sent, ...rest } = bare;
	return { ...rest, status: "pending", ...omitUndefined({ ...payloads[action.actionId] }) };
}

/**
 * The action, ready for the text that the work will write. Drops the reasons for holding the earlier text, which say nothing about the new
 * text.
 */
function unworked(action: DeliveryAction): DeliveryAction {
	const { heldFor: _before, doubt: _doubt, workedBy: _run, ...rest } = released(action);
	return rest;
}

/** The action without its own content, which the user's words replace. */
function withoutContent(action: DeliveryAction): DeliveryAction {
	const { content: _content, ...rest } = action;
	return rest;
}

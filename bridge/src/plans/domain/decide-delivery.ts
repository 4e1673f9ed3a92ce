import type {
	ActionId,
	AddressedTo,
	DeliveryAction,
	DeliveryCode,
	DeliveryProof,
	NotSentCode,
	Sha256,
	Timestamp,
} from "@xworkmate/contracts";
import { omitUndefined } from "@xworkmate/contracts";
import type { SendOutcome } from "../../ports/channels/channel.ts";
import type { AttemptNote, Claim, OpenOccurrence, PlanEvent } from "../../ports/plans/plan-event.ts";
import { bump, isWorking, settled } from "./decide-occurrence.ts";
import { decidedBy } from "./decided-by.ts";
import { fail, hold } from "./held-action.ts";
import { isOver } from "./plan-state.ts";

/** The bounds of the retries after a temporary refusal. `now` and `until` are in milliseconds since the epoch. */
export interface Patience {
	readonly now: number;
	/** Nothing is sent automatically after this time: the plan's next time or the message's own time limit, whichever is earlier. */
	readonly until: number;
	/** Maximum number of attempts. */
	readonly most: number;
	/** `firstMs`: the first wait. `mostMs`: the longest, unless the channel asks for a longer one. */
	readonly firstMs: number;
	readonly mostMs: number;
	/** How long an accepted message waits for the channel's confirmation. If absent, until the claim has expired. */
	readonly confirmMs?: number;
}

/** Claims a message for sending, once its work is over. */
export function decideClaim(open: OpenOccurrence, actionId: ActionId, claim: Claim, now: number): readonly PlanEvent[] {
	const action = find(open, actionId);
	if (open.occurrence.status !== "delivering") return [];
	if (action?.status !== "pending" || (action.notBefore !== undefined && Date.parse(action.notBefore) > now)) return [];
	const { code: _code, message: _message, fix: _fix, notBefore: _at, ...rest } = action;
	const next: DeliveryAction = { ...rest, status: "sending", stage: "claimed", attempts: action.attempts + 1 };
	return replaced(open, next, "task:delivery", claim, "claimed");
}

/** Records that the message may have left from this point on. Empty if this claim must not hand the message over. */
export function decideHandOver(
	open: OpenOccurrence,
	actionId: ActionId,
	claim: Claim,
	now: number,
	built: {
		readonly payloadHash: Sha256;
		readonly providerMessageId?: string | undefined;
		readonly addressedTo?: AddressedTo | undefined;
	},
): readonly PlanEvent[] {
	const action = find(open, actionId);
	const held = open.claims[actionId];
	if (action?.stage !== "claimed" || action.status !== "sending" || held === undefined) return [];
	if (held.epoch !== claim.epoch || held.until !== claim.until || Date.parse(held.until) <= now) return [];
	const next: DeliveryAction = { ...action, stage: "handing_over", ...omitUndefined(built) };
	return replaced(open, next, "task:delivery", held, "handed_over");
}

/**
 * Records the outcome of an attempt.
 * @param addressedTo the recipient that the attempt's message was built for; a refusal before the hand-over must still name it
 */
export function decideOutcome(
	open: OpenOccurrence,
	actionId: ActionId,
	epoch: number,
	outcome: SendOutcome,
	at: Timestamp,
	patience: Patience,
	addressedTo?: AddressedTo,
): readonly PlanEvent[] {
	const action = find(open, actionId);
	const claim = open.claims[actionId];
	if (action === undefined || action.status !== "sending" || action.stage === "accepted" || claim?.epoch !== epoch) return [];
	switch (outcome.kind) {
		case "accepted":
			return accepted(open, action, confirmBy(claim, patience), outcome, at);
		case "no_answer":
			// Nothing can have left before the hand-over.
			if (action.stage === "claimed")
				return replaced(open, retried(action, outcome.message, patience), "task:delivery", undefined, "refused");
			return replaced(open, unknown(action, "NO_ANSWER", outcome.message), "task:review", undefined, "unknown");
		case "passing":
			return replaced(open, retried(action, outcome.message, patience, outcome.retryAfterMs), "task:delivery", undefined, "refused");
		case "held": {
			const { code, message, fix } = outcome;
			return replaced(open, { ...hold(action, code), message, fix }, "task:review", undefined, "refused");
		}
		case "refused": {
			const { code, message, fix } = outcome;
			const failed = { ...fail(action, code), message, fix, ...omitUndefined({ addressedTo }) };
			return replaced(open, failed, "task:delivery", undefined, "refused");
		}
	}
}

/**
 * Handles a message whose sender will not finish: an earlier bridge, or this bridge if the claim has expired without a recorded outcome. An
 * attempt that is released because the bridge stops passes the end of its claim as `now`.
 */
export function decideAbandoned(open: OpenOccurrence, actionId: ActionId, epoch: number, now: number): readonly PlanEvent[] {
	const action = find(open, actionId);
	const claim = open.claims[actionId];
	if (action?.status !== "sending" || action.stage === "accepted" || claim === undefined) return [];
	if (claim.epoch === epoch && Date.parse(claim.until) > now) return [];
	if (action.stage === "claimed") {
		const { stage: _stage, ...rest } = action;
		return replaced(open, { ...rest, status: "pending" }, "task:delivery", undefined, "refused");
	}
	const why =
		claim.epoch === epoch
			? "The outcome of sending the message was not recorded in time."
			: "The bridge stopped while the message was being sent.";
	return replaced(
		open,
		unknown(action, claim.epoch === epoch ? "NO_ANSWER" : "BRIDGE_RESTARTED", why),
		"task:review",
		undefined,
		"unknown",
	);
}

/** Records what the channel says about a message that it accepted, or whose outcome is not known. */
export function decideProof(
	open: OpenOccurrence,
	actionId: ActionId,
	proof:
		| { readonly kind: "proved"; readonly proof: DeliveryProof }
		| { readonly kind: "failed"; readonly code?: NotSentCode; readonly message: string; readonly fix?: string }
		| { readonly kind: "silent" },
	at: Timestamp,
): readonly PlanEvent[] {
	const action = find(open, actionId);
	if (action === undefined || !(action.stage === "accepted" || action.status === "unknown")) return [];
	if (proof.kind === "silent") return action.status === "unknown" ? [] : unconfirmed(open, action, at);
	if (proof.kind === "failed") {
		const { stage: _stage, ...rest } = fail(action, proof.code ?? "CONTENT_REFUSED");
		return replaced(open, { ...rest, ...omitUndefined({ message: proof.message, fix: proof.fix }) }, "task:delivery", undefined, "refused");
	}
	return replaced(open, completed({ ...action, proof: proof.proof }, at), "task:delivery_complete", undefined, "done");
}

/**
 * The outcome if the channel will report nothing more about a message. A message that the channel has already passed on counts as sent, at
 * the time that the channel reported. Records of earlier bridges lack that time, so the time of giving up is used.
 */
function unconfirmed(open: OpenOccurrence, action: DeliveryAction, at: Timestamp): readonly PlanEvent[] {
	if (action.proof !== undefined && action.proof !== "accepted")
		return replaced(open, completed(action, open.claims[action.actionId]?.saidAt ?? at), "task:delivery_complete", undefined, "done");
	const { message } = action;
	const why =
		message === undefined
			? "The channel accepted the message, but did not confirm in time that it was sent."
			: `${message} The channel reported nothing more in time.`;
	return replaced(open, unknown(action, "NO_CONFIRMATION", why), "task:review", undefined, "unknown");
}

/** Holds a message that was about to be claimed. */
export function decideHold(
	open: OpenOccurrence,
	actionId: ActionId,
	code: DeliveryCode,
	words: { readonly message?: string; readonly fix?: string },
): readonly PlanEvent[] {
	const action = find(open, actionId);
	if (action?.status !== "pending") return [];
	return replaced(open, { ...hold(action, code), ...words }, "task:review", undefined);
}

/** Records the user's answer about whether a message arrived, because the channel has not proved it or the outcome is not known. */
export function decideSettle(
	open: OpenOccurrence,
	actionId: ActionId,
	outcome: "sent" | "not_sent",
	by: string,
	at: Timestamp,
): readonly PlanEvent[] {
	const action = find(open, actionId);
	if (action?.status !== "unknown" && action?.stage !== "accepted") return [];
	const base = { ...action, settledBy: by };
	const decided = { by, decision: outcome };
	if (outcome === "sent") return decidedBy(decided, replaced(open, completed(base, at), "task:delivery_complete", undefined, "done"));
	return decidedBy(decided, replaced(open, fail(base, "NOT_SENT"), "task:review", undefined, "refused"));
}

function accepted(
	open: OpenOccurrence,
	action: DeliveryAction,
	confirmed: Claim,
	outcome: Extract<SendOutcome, { kind: "accepted" }>,
	at: Timestamp,
): readonly PlanEvent[] {
	const { proof, providerMessageId, awaitsProof, message } = outcome;
	const told = { ...action, proof, ...omitUndefined({ providerMessageId: providerMessageId ?? action.providerMessageId }) };
	if (awaitsProof === true)
		return replaced(open, { ...told, ...omitUndefined({ message }), stage: "accepted" }, "task:delivery", confirmed);
	return replaced(open, completed(told, at), "task:delivery_complete", undefined, "done");
}

function confirmBy(claim: Claim, { now, confirmMs }: Patience): Claim {
	return confirmMs === undefined ? claim : { ...claim, until: new Date(now + confirmMs).toISOString() };
}

export function completed(action: DeliveryAction, at: Timestamp): DeliveryAction {
	const { stage: _stage, code: _code, message: _message, fix: _fix, lint: _lint, notBefore: _at, ...rest } = action;
	return { ...rest, status: "completed", completedAt: at };
}

function unknown(action: DeliveryAction, code: DeliveryCode, message: string): DeliveryAction {
	return { ...action, status: "unknown", code, message };
}

function retried(action: DeliveryAction, message: string, patience: Patience, askedMs = 0): DeliveryAction {
	const { now, until, most, firstMs, mostMs } = patience;
	const { stage: _stage, ...rest } = action;
	if (action.attempts >= most) return { ...hold(rest, "RETRIES_EXHAUSTED"), message };
	const at = now + Math.max(Math.min(firstMs * 2 ** (action.attempts - 1), mostMs), askedMs);
	if (at > until) return { ...hold(rest, "TOO_LATE"), message };
	return { ...rest, status: "pending", message, notBefore: new Date(at).toISOString() };
}

export function find({ occurrence }: OpenOccurrence, actionId: ActionId): DeliveryAction | undefined {
	return occurrence.delivery.find((action) => action.actionId === actionId);
}

/** Replaces one action with its new state. An attempt is recorded under the action's number of attempts. */
export function replaced(
	open: OpenOccurrence,
	action: DeliveryAction,
	kind: "task:delivery" | "task:delivery_complete" | "task:review",
	claim: Claim | undefined,
	attempt?: AttemptNote["state"],
): readonly PlanEvent[] {
	const { actionId } = action;
	const { [actionId]: before, ...others } = open.claims;
	const delivery = open.occurrence.delivery.map((one) => (one.actionId === actionId ? action : one));
	const next = { ...open.occurrence, delivery };
	// Proof of a message that left earlier does not end work that is being done again, and an occurrence that is over stays over.
	const occurrence = bump(isWorking(next) || isOver(next) ? next : settled(next));
	const claims = claim === undefined ? others : { ...others, [actionId]: claim };
	const epoch = claim?.epoch ?? before?.epoch;
	const note = attempt === undefined ? {} : { attempt: { actionId, n: action.attempts, state: attempt, ...omitUndefined({ epoch }) } };
	// A message that is now held is reported as `task:review`.
	const shown = kind === "task:delivery" && action.status === "needs_review" ? "task:review" : kind;
	return [{ body: { kind: shown, occurrence, action }, claims, ...note }];
}

import type { ActionId, DeliveryAction, DeliveryProof, Timestamp } from "@xworkmate/contracts";
import { omitUndefined } from "@xworkmate/contracts";
import type { MessageNews } from "../../ports/channels/channel-news.ts";
import type { OpenOccurrence, PlanEvent } from "../../ports/plans/plan-event.ts";
import { completed, find, replaced } from "./decide-delivery.ts";
import { fail, hold } from "./held-action.ts";

/** Which message a report is about, and what is needed to record it. */
export interface NewsTerms {
	/** The number of the attempt, if the channel named it. */
	readonly attempt?: number | undefined;
	readonly providerMessageId?: string | undefined;
	/** When the reported event happened, according to the channel. */
	readonly saidAt: Timestamp;
	readonly now: number;
	/** How long a message that its channel has passed on waits for proof that it arrived. */
	readonly confirmMs: number;
	/** The epoch of this bridge process. */
	readonly epoch: number;
}

const MOST_LATER = 20;
const MOST_WORDS = 1_000;
const RANK: Readonly<Record<DeliveryProof, number>> = { accepted: 0, sent: 1, delivered: 2, read: 3 };

/** True while an attempt is being made: until its outcome is known, a report cannot be matched to an attempt. */
export function isInHands({ status, stage }: DeliveryAction): boolean {
	return status === "sending" && stage !== "accepted";
}

/**
 * What a channel's report changes about a message, whose occurrence may be over. Empty if the report contains nothing new or less than is
 * known, or if an attempt is being made.
 *
 * A final status never changes. After it, only the proof can rise, and a contradiction is recorded as `later`. A failure is ignored once
 * `delivered` is known, because reports arrive in any order. A report that may not be about the last attempt can only prove that the
 * message arrived, because it must not end another attempt.
 */
export function decideNews(open: OpenOccurrence, actionId: ActionId, news: MessageNews, terms: NewsTerms): readonly PlanEvent[] {
	const action = find(open, actionId);
	if (action === undefined || isInHands(action)) return [];
	const isLast = isOfLastAttempt(action, terms);
	if (news.kind === "proved") return isLast ? proved(open, action, news.proof, terms) : provedEarlier(open, action, news.proof, terms);
	if (!isLast || RANK[action.proof ?? "accepted"] >= RANK.delivered) return [];
	if (action.status === "completed") return noted(open, action, news.message, terms);
	if (!isOpen(action)) return [];
	const { proof: _proof, ...unproved } = action;
	const { message, fix } = news;
	if (news.kind === "failed") return replaced(open, { ...fail(unproved, news.code), message, fix }, "task:delivery", undefined, "refused");
	// The id belongs to an attempt that has ended, so its reports do not apply to a later one.
	const { providerMessageId: _id, ...rest } = unproved;
	return replaced(open, { ...hold(rest, news.code), message, fix }, "task:review", undefined, "refused");
}

/**
 * Records that an address has written to the user's number, so that a message that was held until then can be sent. Empty if the message is
 * not held for this reason, or if the reply is already recorded.
 */
export function decideWindowOpened(
	open: OpenOccurrence,
	actionId: ActionId,
	words: { message: string; fix: string },
): readonly PlanEvent[] {
	const action = find(open, actionId);
	if (action?.status !== "needs_review" || action.code !== "WINDOW_CLOSED") return [];
	if (action.message === words.message && action.fix === words.fix) return [];
	return replaced(open, { ...action, ...words }, "task:review", undefined);
}

/** True if the channel has yet to say how the message ended. */
function isOpen({ status, stage }: DeliveryAction): boolean {
	return status === "unknown" || stage === "accepted";
}

function isOfLastAttempt(action: DeliveryAction, { attempt, providerMessageId }: NewsTerms): boolean {
	if (attempt !== undefined) return attempt === action.attempts;
	if (providerMessageId !== undefined && action.providerMessageId !== undefined) return providerMessageId === action.providerMessageId;
	return action.attempts === 1;
}

function proved(open: OpenOccurrence, action: DeliveryAction, proof: DeliveryProof, terms: NewsTerms): readonly PlanEvent[] {
	const isProof = RANK[proof] >= RANK.delivered;
	if (!isOpen(action)) return isProof ? provedEarlier(open, action, proof, terms) : raised(open, action, proof);
	const providerMessageId = action.providerMessageId ?? terms.providerMessageId;
	const told = { ...action, ...omitUndefined({ providerMessageId }), proof };
	if (isProof || (proof === "accepted" && action.status === "unknown"))
		return replaced(open, completed(told, terms.saidAt), "task:delivery_complete", undefined, "done");
	if (action.status !== "unknown" && RANK[action.proof ?? "accepted"] >= RANK[proof]) return [];
	const { code: _code, message: _message, fix: _fix, ...rest } = told;
	const until = new Date(terms.now + terms.confirmMs).toISOString();
	const claim = { epoch: terms.epoch, until, saidAt: terms.saidAt };
	return replaced(open, { ...rest, status: "sending", stage: "accepted" }, "task:delivery", claim);
}

/** Handles proof that the message has arrived, perhaps through an earlier attempt, no matter how a later one ends. */
function provedEarlier(open: OpenOccurrence, action: DeliveryAction, proof: DeliveryProof, terms: NewsTerms): readonly PlanEvent[] {
	if (RANK[proof] < RANK.delivered) return [];
	switch (action.status) {
		case "completed":
			return raised(open, action, proof);
		case "failed": {
			const isNews = RANK[action.proof ?? "accepted"] < RANK[proof];
			return isNews ? noted(open, { ...action, proof }, `The channel reports that the message was ${proof} after all.`, terms) : [];
		}
		case "pending":
		case "needs_review":
		case "unknown":
			return replaced(open, completed({ ...action, proof }, terms.saidAt), "task:delivery_complete", undefined);
		case "sending":
			// A later attempt was accepted too, and its own confirmation is still to come.
			return [];
	}
}

/** Raises the proof of a completed message; it never falls. */
function raised(open: OpenOccurrence, action: DeliveryAction, proof: DeliveryProof): readonly PlanEvent[] {
	if (action.status !== "completed" || RANK[action.proof ?? "accepted"] >= RANK[proof]) return [];
	return replaced(open, { ...action, proof }, "task:delivery", undefined);
}

function noted(open: OpenOccurrence, action: DeliveryAction, words: string, { saidAt }: NewsTerms): readonly PlanEvent[] {
	const { later = [] } = action;
	const message = words.slice(0, MOST_WORDS);
	if (later.length >= MOST_LATER || later.some((one) => one.message === message)) return [];
	return replaced(open, { ...action, later: [...later, { at: saidAt, message }] }, "task:delivery", undefined);
}

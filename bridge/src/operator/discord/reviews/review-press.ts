import { type ActionId, ContractError, type MethodResult, type OccurrenceId } from "@xworkmate/contracts";
import type { DiscordInteraction, DiscordWire } from "../discord-wire.ts";
import { plainWords } from "../text/escape-text.ts";
import { laterLines, type ReviewVerb, readReviewId, reviewOutcomeWords } from "../text/review-plan.ts";
import type { PlanReviews } from "./plan-reviews.ts";

export interface ReviewPressParts extends PlanReviews {
	readonly wire: Pick<DiscordWire, "reply" | "acknowledge" | "followUp">;
	/** Called after each decision, because the posts of the occurrence may be out of date. */
	readonly lookAgain: (occurrenceId: OccurrenceId) => void;
}

type Applied = MethodResult<"xworkmate.plans.review">;

const CHANGED = "Something has changed since this message was shown, so no decision was made. Review the current version.";
const done: Readonly<Record<ReviewVerb, string>> = {
	send: "The message will be sent as soon as possible.",
	discard: "Discarded. It will not be sent.",
	rerun: "The work will be done again.",
	sent: "Recorded that the message arrived.",
	not_sent: "Recorded that the message didn't arrive. It will not be sent again automatically.",
};

/** Handles the buttons below a message that is waiting for the user. As on the page, each press decides on what was shown, and only once. */
export class ReviewPress {
	readonly #parts: ReviewPressParts;

	constructor(parts: ReviewPressParts) {
		this.#parts = parts;
	}

	/** False if the button does not belong to a message that was waiting for the user. */
	async take(interaction: DiscordInteraction, user: string): Promise<boolean> {
		const asked = readReviewId(interaction.data.custom_id ?? "");
		if (asked === undefined) return false;
		const { wire } = this.#parts;
		if (user !== this.#parts.user()) {
			await wire.reply(interaction, "Only the owner of these messages can decide about them, so no decision was made.");
			return true;
		}
		// Acknowledged at once, because Discord waits only three seconds. A press counts even if the acknowledgement does not reach Discord.
		const [outcome, answered] = await Promise.allSettled([this.#decide(asked), wire.acknowledge(interaction)]);
		if (outcome.status === "rejected") throw outcome.reason;
		if (answered.status === "rejected") throw answered.reason;
		await wire.followUp(interaction, outcome.value);
		return true;
	}

	/** Applies the decision, and returns the result in words. */
	async #decide(asked: NonNullable<ReturnType<typeof readReviewId>>): Promise<string> {
		const occurrenceId = asked.occurrenceId as OccurrenceId;
		const actionId = asked.actionId as ActionId;
		try {
			const answer = await this.#applied(asked, occurrenceId, actionId);
			if (answer === undefined) return CHANGED;
			if (answer.applied) return done[asked.verb];
			const action = answer.occurrence.delivery.find((one) => one.actionId === actionId);
			const isWaiting = action?.status === "needs_review" || action?.status === "unknown";
			if (action === undefined || isWaiting) return CHANGED;
			const words = reviewOutcomeWords(action, answer.occurrence);
			return [`This message is no longer waiting for you. ${words}.`, ...laterLines(action)].join(" ");
		} catch (error) {
			if (!(error instanceof ContractError)) throw error;
			return `${plainWords(error.message)} ${plainWords(error.fix)}`;
		} finally {
			this.#parts.lookAgain(occurrenceId);
		}
	}

	/** Undefined if the message that would be sent has changed since it was shown. */
	async #applied(
		{ verb, revision, hash }: NonNullable<ReturnType<typeof readReviewId>>,
		occurrenceId: OccurrenceId,
		actionId: ActionId,
	): Promise<Applied | undefined> {
		const { plans } = this.#parts;
		switch (verb) {
			case "sent":
			case "not_sent":
				return plans.settle({ occurrenceId, actionId, revision, outcome: verb });
			case "discard":
				return plans.review({ occurrenceId, actionId, revision, decision: "discard" });
			case "rerun":
				return plans.review({ occurrenceId, actionId, revision, decision: "rerun" });
			case "send": {
				const { payloadHash } = await plans.preview({ occurrenceId, actionId });
				if (hash === "" || !payloadHash.startsWith(hash)) return undefined;
				return plans.review({ occurrenceId, actionId, revision, decision: "send", payloadHash });
			}
		}
	}
}

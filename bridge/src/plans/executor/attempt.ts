import {
	ContractError,
	type DeliveryAction,
	type Occurrence,
	omitUndefined,
	type Plan,
	spanWords,
	type Timestamp,
} from "@xworkmate/contracts";
import type { Attempt as AttemptAt, Built, DeliveryChannel, SendOutcome } from "../../ports/channels/channel.ts";
import { timestamp } from "../../ports/clock.ts";
import type { Claim, OpenOccurrence, PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";
import type { ActionRow } from "../../ports/plans/plan-store.ts";
import { concernsChannel } from "../domain/concerns-channel.ts";
import { decideAbandoned, decideHandOver, decideOutcome, decideProof } from "../domain/decide-delivery.ts";
import { addressedTo } from "../messages.ts";
import type { DecidePlan } from "../plan-log.ts";
import { readOnItsWaySince } from "./actions/on-its-way.ts";
import { findOpenAction, type OpenAction, ofOpenAction } from "./actions/open-action.ts";
import { bytesGone, keptOutcome, unbuilt } from "./actions/outcome-words.ts";
import { patienceOf } from "./actions/patience.ts";
import type { AttemptParts } from "./executor-parts.ts";
import { HandOverRefused } from "./hand-over-refused.ts";

/** `released`: the bridge is stopping, and the message has not left. */
type End = SendOutcome | { readonly kind: "released" };

type Bytes = Pick<Built, "payload" | "providerMessageId"> & Pick<DeliveryAction, "addressedTo">;

/**
 * How long a channel may take, once it is asked to stop, to report how far the message got, in milliseconds. Measured in real time, because
 * the channel only has to disconnect.
 */
const LAST_WORD_MS = 250;

/** The channel, the claim and the number of an attempt. */
interface Taken {
	readonly channel: DeliveryChannel;
	readonly claim: Claim;
	/** Number of the attempt. */
	readonly n: number;
}

/** One attempt at a claimed message: it is built and handed over, and the channel's answer is committed. */
export class Attempt {
	readonly #parts: AttemptParts;
	readonly #row: ActionRow;
	readonly #channel: DeliveryChannel;
	readonly #claim: Claim;
	/** The number of the attempt. */
	readonly #n: number;
	readonly #ended = Promise.withResolvers<End>();
	readonly #controller = new AbortController();
	/** The recipient that the bytes were built for; undefined if they were built earlier. */
	#addressedTo: DeliveryAction["addressedTo"];
	/** True once nothing may be handed over any longer. */
	#isOver = false;
	/** True once the hand-over has begun. */
	#isLeaving = false;

	constructor(parts: AttemptParts, row: ActionRow, taken: Taken) {
		this.#parts = parts;
		this.#row = row;
		this.#channel = taken.channel;
		this.#claim = taken.claim;
		this.#n = taken.n;
	}

	/** Settles when the outcome is committed. */
	async run(found: OpenAction): Promise<void> {
		const { clock, limits } = this.#parts;
		using _timer = clock.at(clock.now() + limits.sendTimeoutMs, () => this.#giveUp());
		const work = this.#work(found);
		const first = await Promise.race([work, this.#ended.promise]);
		this.#isOver = true;
		this.#controller.abort();
		const end = first.kind === "no_answer" ? await lastWord(work, first) : first;
		await this.#conclude(end);
		// A late answer can settle the unknown outcome. Listening for it sends nothing.
		if (end.kind === "no_answer") void work.then((late) => this.#hear(late)).catch(this.#parts.onError);
	}

	async #hear(late: End): Promise<void> {
		if (!this.#parts.ended.aborted) await this.#conclude(late);
	}

	/** Called when the bridge is stopping: releases the message unless its hand-over has begun. */
	stop(): void {
		if (this.#isLeaving) return;
		this.#isOver = true;
		this.#ended.resolve({ kind: "released" });
	}

	/** Gives up waiting for the channel, because the bridge has to end. */
	cut(): void {
		this.#ended.resolve({ kind: "no_answer", message: "The bridge stopped before the channel responded." });
	}

	#giveUp(): void {
		const limit = spanWords(this.#parts.limits.sendTimeoutMs);
		this.#ended.resolve({ kind: "no_answer", message: `The channel didn't respond within ${limit}.` });
	}

	/** Never rejects. */
	async #work({ open: { occurrence }, action, plan }: OpenAction): Promise<End> {
		let bytes: Bytes | undefined;
		try {
			this.#parts.resolveRecipient(action.channel, action.recipient);
			bytes = await this.#bytes(occurrence, action, plan);
		} catch (error) {
			if (!(error instanceof ContractError)) this.#parts.onError(error);
			return unbuilt(error);
		}
		if (bytes === undefined) return bytesGone;
		const { actionId, attempts: n, payloadHash } = action;
		return this.#sent(bytes, { actionId, n, ...(payloadHash !== undefined && { isReviewed: true }) });
	}

	/**
	 * The bytes to send. Bytes that were built earlier are sent unchanged: the user may have reviewed them, or an earlier attempt may have
	 * handed them over.
	 */
	async #bytes(occurrence: Occurrence, action: DeliveryAction, plan: Plan): Promise<Bytes | undefined> {
		const { payloadHash, providerMessageId } = action;
		if (payloadHash === undefined) {
			const message = await this.#parts.messageOf(occurrence, action, plan);
			const to = addressedTo(action.channel, message);
			this.#addressedTo = to;
			return { ...(await this.#channel.render(message)), ...omitUndefined({ addressedTo: to }) };
		}
		const payload = await this.#parts.store.payload(payloadHash);
		return payload === undefined ? undefined : { payload, ...omitUndefined({ providerMessageId }) };
	}

	async #sent(bytes: Bytes, attempt: AttemptAt): Promise<SendOutcome> {
		let failure: { readonly error: unknown } | undefined;
		const handOver = async () => {
			try {
				await this.#leave((state) => ({ events: this.#handedOver(state, bytes), payloads: [bytes.payload] }));
			} catch (error) {
				failure = { error };
				throw error;
			}
		};
		try {
			const outcome = await this.#channel.send(bytes.payload, handOver, this.#controller.signal, attempt);
			if (outcome.kind === "held" && concernsChannel(this.#channel.channel, outcome.code)) this.#tellRefused();
			return outcome;
		} catch (error) {
			if (failure !== undefined) return this.#unwritten(failure.error);
			this.#parts.onError(error);
			return { kind: "no_answer", message: "The channel failed while sending the message." };
		}
	}

	/** Never throws, so that the outcome is recorded in any case. */
	#tellRefused(): void {
		try {
			this.#parts.onChannelRefused?.(this.#channel.channel);
		} catch (error) {
			this.#parts.onError(error);
		}
	}

	#unwritten(error: unknown): SendOutcome {
		if (error instanceof HandOverRefused)
			return { kind: "passing", message: "The time limit was reached before the message was handed over." };
		this.#parts.onError(error);
		return { kind: "passing", message: "The hand-over could not be recorded, so the message was not handed over." };
	}

	/**
	 * Records durably that the message is leaving.
	 * @throws HandOverRefused; the store's error
	 */
	async #leave(decide: DecidePlan): Promise<void> {
		if (this.#isOver || this.#isLeaving) throw new HandOverRefused();
		this.#isLeaving = true;
		const { log } = this.#parts;
		try {
			const { events } = await log.tryChange(this.#row.planId, (state) => (this.#isOver ? [] : decide(state)));
			// The attempt may have timed out during the write. A message whose outcome was recorded as unknown must not be sent afterwards.
			if (events.length === 0 || this.#isOver) throw new HandOverRefused();
		} catch (error) {
			this.#isLeaving = false;
			throw error;
		}
	}

	#handedOver(state: PlanState, { payload, providerMessageId, addressedTo: to }: Bytes): readonly PlanEvent[] {
		const built = { payloadHash: payload.sha256, providerMessageId, addressedTo: to };
		const now = this.#parts.clock.now();
		return ofOpenAction(this.#row, ({ open }) => decideHandOver(open, this.#row.actionId, this.#claim, now, built))(state);
	}

	async #conclude(end: End): Promise<void> {
		const { planId } = this.#row;
		const since = end.kind === "passing" || end.kind === "no_answer" ? await this.#since() : undefined;
		await this.#parts.log.change(planId, (state) => {
			const found = findOpenAction(state, this.#row);
			// Each claim starts a new attempt, and this attempt must not decide the outcome of another one.
			if (found === undefined || found.action.attempts !== this.#n) return [];
			if (end.kind === "released") return this.#released(found.open);
			if (found.action.status === "unknown") return this.#late(found.open, end);
			const patience = patienceOf(this.#parts, state, since);
			const { actionId } = this.#row;
			return decideOutcome(found.open, actionId, this.#claim.epoch, keptOutcome(end), timestamp(patience.now), patience, this.#addressedTo);
		});
	}

	/** Applies a late answer to an attempt whose outcome was unknown: it may settle the outcome, and sends nothing. */
	#late(open: OpenOccurrence, outcome: SendOutcome): readonly PlanEvent[] {
		const { actionId } = this.#row;
		const at = timestamp(this.#parts.clock.now());
		const kept = keptOutcome(outcome);
		switch (kept.kind) {
			case "accepted":
				return kept.awaitsProof === true ? [] : decideProof(open, actionId, { kind: "proved", proof: kept.proof }, at);
			case "refused":
				return decideProof(open, actionId, { kind: "failed", code: kept.code, message: kept.message, fix: kept.fix }, at);
			case "passing":
			case "held":
				return decideProof(open, actionId, { kind: "failed", code: "NOT_SENT", message: kept.message }, at);
			case "no_answer":
				return [];
		}
	}

	#released(open: OpenOccurrence): readonly PlanEvent[] {
		const { actionId } = this.#row;
		return decideAbandoned(open, actionId, this.#claim.epoch, Date.parse(this.#claim.until));
	}

	async #since(): Promise<Timestamp | undefined> {
		try {
			return await readOnItsWaySince(this.#parts.store, this.#row);
		} catch (error) {
			// A failure here must not keep the outcome from being recorded.
			this.#parts.onError(error);
			return undefined;
		}
	}
}

/**
 * The outcome that the channel reports within `LAST_WORD_MS` of being asked to stop, so that a message that was certainly not sent is
 * retried instead of being recorded as unknown. `silence`: the outcome if it reports none.
 */
async function lastWord(work: Promise<End>, silence: End): Promise<End> {
	const { promise, resolve } = Promise.withResolvers<End>();
	const timer = setTimeout(() => resolve(silence), LAST_WORD_MS);
	return await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

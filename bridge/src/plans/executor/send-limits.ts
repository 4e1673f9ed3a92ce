import { createHash } from "node:crypto";
import { type ChannelId, type DeliveryAction, type Occurrence, Sha256 } from "@xworkmate/contracts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { ActionRow, PlanStore } from "../../ports/plan-store.ts";
import type { DeliveryLimits } from "./delivery-limits.ts";
import type { Hold } from "./hold.ts";

/** A place among the messages that a channel may send in an hour. Disposing gives it back, if nothing was handed over. */
export interface Place extends Disposable {
	/** Commits a hand-over, which takes the place for good. */
	handOver<T>(commit: () => Promise<T>): Promise<T>;
}

const HOUR_MS = 60 * 60_000;

/** How much leaves: no more than so many of a channel in an hour, and not the same thing twice by two plans. */
export class SendLimits {
	readonly #store: PlanStore;
	readonly #clock: Clock;
	readonly #limits: DeliveryLimits;
	/** Places of messages that are claimed and not handed over: the store does not count them yet. */
	readonly #places = new Map<ChannelId, number>();
	/** One look or hand-over at a time, else two messages could take the last place. */
	#line: Promise<unknown> = Promise.resolve();

	constructor(store: PlanStore, clock: Clock, limits: DeliveryLimits) {
		this.#store = store;
		this.#clock = clock;
		this.#limits = limits;
	}

	/**
	 * Takes a place for a message, or says why it has to wait for a person. What a person has looked at, and what is tried again, may pass:
	 * their decision was about this very message.
	 */
	async admit(
		row: ActionRow,
		occurrence: Occurrence,
		action: DeliveryAction,
	): Promise<{ readonly hold: Hold } | { readonly place: Place }> {
		const isKnown = action.payloadHash !== undefined;
		return this.#inLine(async () => {
			const hold = isKnown ? undefined : ((await this.#tooMany(row)) ?? (await this.#alreadySent(row, textOf(occurrence, action))));
			return hold === undefined ? { place: this.#take(row.channel) } : { hold };
		});
	}

	async #tooMany({ channel }: ActionRow): Promise<Hold | undefined> {
		const { sendsPerHour } = this.#limits;
		const sent = await this.#store.handedOverSince(channel, timestamp(this.#clock.now() - HOUR_MS));
		if (sent + (this.#places.get(channel) ?? 0) < sendsPerHour) return undefined;
		return {
			code: "SEND_LIMIT",
			message: `${sendsPerHour} messages have left by ${channel} within an hour, and no more may by themselves.`,
			fix: "Look at what sends so many; then send this one, or discard it.",
		};
	}

	async #alreadySent({ lane, planId }: ActionRow, text: string): Promise<Hold | undefined> {
		const since = timestamp(this.#clock.now() - this.#limits.sameWithinMs);
		const hash = Sha256.parse(createHash("sha256").update(text).digest("hex"));
		if ((await this.#store.sameSince(lane, hash, planId, since)) === undefined) return undefined;
		return {
			code: "DUPLICATE_CONTENT",
			message: "Another plan has just sent the same text to the same recipient.",
			fix: "Discard it, or send it if it is meant twice.",
		};
	}

	#take(channel: ChannelId): Place {
		let isTaken = true;
		const count = (by: number) => void this.#places.set(channel, (this.#places.get(channel) ?? 0) + by);
		const giveBack = () => {
			if (isTaken) count(-1);
			isTaken = false;
		};
		count(1);
		return {
			handOver: (commit) =>
				this.#inLine(async () => {
					const committed = await commit();
					giveBack();
					return committed;
				}),
			[Symbol.dispose]: giveBack,
		};
	}

	#inLine<T>(act: () => Promise<T>): Promise<T> {
		const done = this.#line.then(act);
		this.#line = done.catch(() => undefined);
		return done;
	}
}

function textOf({ deliverable }: Occurrence, { content }: DeliveryAction): string {
	return content ?? deliverable?.text ?? "";
}

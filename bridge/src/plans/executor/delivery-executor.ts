import { timestamp } from "../../ports/clock.ts";
import type { ActionRow } from "../../ports/plans/plan-store.ts";
import { decideAbandoned } from "../domain/decide-delivery.ts";
import { ofOpenAction } from "./actions/open-action.ts";
import type { Attempt } from "./attempt.ts";
import { Confirmations } from "./confirmations.ts";
import type { AttemptParts, ExecutorParts } from "./executor-parts.ts";
import { mayLetLeave } from "./may-let-leave.ts";
import { placeRows } from "./place-rows.ts";
import { type TakenAction, takeActions } from "./take-actions.ts";

/** The pause before the next check after a failure of the store, in milliseconds. */
const AFTER_FAILURE_MS = 1_000;
/** The time to write the last outcomes when the bridge ends, after `stopMs`; in milliseconds. */
const LAST_WRITES_MS = 2_000;

/** How many inbox rows of a lane are written together. */
const ROWS_AT_ONCE = 100;

/** The message being sent in a lane. */
interface Sending {
	readonly attempt: Attempt;
	readonly done: Promise<void>;
}

/**
 * Sends the messages that may leave: one at a time to each recipient of a channel, the oldest sendable one first. A message that waits for
 * its retry does not block others: a mailbox that is full today must not delay another plan's reminder. The rows in the store are
 * authoritative; memory holds only the messages that this bridge is sending.
 */
export class DeliveryExecutor implements AsyncDisposable {
	readonly #parts: AttemptParts;
	readonly #confirmations: Confirmations;
	readonly #ended = new AbortController();
	/** The message being sent in each lane. */
	readonly #sending = new Map<string, Sending>();
	/** Set while inbox rows are being written. */
	#placing: Promise<void> | undefined;
	#unsubscribe: () => void;
	#timer: Disposable | undefined;
	#looking: Promise<void> | undefined;
	#mustLookAgain = false;
	#hasBegun = false;
	#isStopping = false;

	constructor(parts: ExecutorParts) {
		this.#parts = { ...parts, ended: this.#ended.signal };
		this.#confirmations = new Confirmations(parts);
		this.#unsubscribe = parts.log.onCommitted((events) => {
			this.#confirmations.note(events);
			if (mayLetLeave(events)) this.wake();
		});
	}

	/** Takes over the messages that an earlier bridge left. Sends nothing. Each check retries what failed. */
	async recover(): Promise<void> {
		await this.#takeUp().catch(this.#parts.onError);
	}

	/** Allows messages to be sent from now on. */
	begin(): void {
		this.#hasBegun = true;
		this.wake();
	}

	/** Must be called when there may be something to send. */
	wake(): void {
		if (!this.#hasBegun || this.#isStopping) return;
		this.#mustLookAgain = true;
		this.#looking ??= this.#lookAround().finally(() => {
			this.#looking = undefined;
			// A request that came too late for the check that was just ending.
			if (this.#mustLookAgain) this.wake();
		});
	}

	/** Ends claims immediately. A message that is being handed over has `stopMs` to finish. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#isStopping = true;
		this.#unsubscribe();
		this.#timer?.[Symbol.dispose]();
		await this.#looking;
		const all = Promise.all([this.#placing, ...[...this.#sending.values()].map(({ done }) => done)]);
		for (const { attempt } of this.#sending.values()) attempt.stop();
		if (!(await this.#endsWithin(all, this.#parts.limits.stopMs))) {
			for (const { attempt } of this.#sending.values()) attempt.cut();
			await this.#endsWithin(all, LAST_WRITES_MS);
		}
		this.#ended.abort();
	}

	async #endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
		const { clock } = this.#parts;
		const { promise: late, resolve } = Promise.withResolvers<boolean>();
		using _timer = clock.at(clock.now() + milliseconds, () => resolve(false));
		return await Promise.race([work.then(() => true), late]);
	}

	async #lookAround(): Promise<void> {
		// Everything committed within one turn of the event loop is checked together.
		await new Promise((resolve) => setImmediate(resolve));
		let next: number | undefined;
		try {
			while (this.#mustLookAgain && !this.#isStopping) {
				this.#mustLookAgain = false;
				next = await this.#look();
			}
		} catch (error) {
			this.#parts.onError(error);
			next = undefined;
			this.#lookAt(this.#parts.clock.now() + AFTER_FAILURE_MS);
			return;
		}
		this.#lookAt(next);
	}

	/** Starts sending all messages that can be sent. Returns the time of the next check; undefined if the regular one is early enough. */
	async #look(): Promise<number | undefined> {
		const { store, clock, limits } = this.#parts;
		await this.#takeUp();
		await this.#confirmations.giveUp();
		const rows = await store.claimable(timestamp(clock.now()), limits.atOnce + this.#sending.size);
		await this.#placeRows(rows.filter((row) => this.#isInbox(row)));
		const free = rows.filter((row) => !this.#isInbox(row) && !this.#sending.has(row.lane));
		const taken = await takeActions(this.#parts, free.slice(0, limits.atOnce - this.#sending.size));
		for (const one of taken) this.#begin(one);
		// The end of each attempt triggers another check.
		if (this.#sending.size >= limits.atOnce) return this.#confirmations.next;
		const nextAction = await store.nextActionAt();
		const times = [nextAction === undefined ? undefined : Date.parse(nextAction), this.#confirmations.next].filter(
			(time) => time !== undefined,
		);
		return times.length === 0 ? undefined : Math.min(...times);
	}

	/** Schedules a check at a given time, or in a second if that time has passed, but always within `lookEveryMs`. */
	#lookAt(time: number | undefined): void {
		if (this.#isStopping) return;
		const { clock, limits } = this.#parts;
		const now = clock.now();
		const latest = now + limits.lookEveryMs;
		const at = time === undefined ? latest : Math.min(time > now ? time : now + AFTER_FAILURE_MS, latest);
		this.#timer?.[Symbol.dispose]();
		this.#timer = clock.at(at, () => this.wake());
	}

	#begin({ row: { lane }, attempt, found }: TakenAction): void {
		const done = attempt.run(found).then(
			() => {
				this.#sending.delete(lane);
				this.wake();
			},
			(error: unknown) => {
				this.#sending.delete(lane);
				this.#parts.onError(error);
				this.#lookAt(this.#parts.clock.now() + AFTER_FAILURE_MS);
			},
		);
		this.#sending.set(lane, { attempt, done });
		if (this.#isStopping) attempt.stop();
	}

	#isInbox({ channel }: ActionRow): boolean {
		return this.#parts.channels.get(channel)?.place !== undefined;
	}

	/** Writes the rows of these lanes, one group after another, because the limits for a group depend on what was written before it. */
	async #placeRows(first: readonly ActionRow[]): Promise<void> {
		if (this.#placing !== undefined || first.length === 0) return;
		const { store, clock } = this.#parts;
		const now = timestamp(clock.now());
		const rows = (await Promise.all(first.map(({ lane }) => store.claimableOf(lane, now, ROWS_AT_ONCE)))).flat();
		this.#placing = placeRows(this.#parts, rows, () => this.#isStopping).then((areAllWritten) => {
			this.#placing = undefined;
			if (areAllWritten) this.wake();
			else this.#lookAt(clock.now() + AFTER_FAILURE_MS);
		});
	}

	/**
	 * Takes over messages whose sender never finished: an earlier bridge, or this bridge if it was suspended or could not write the outcome.
	 */
	async #takeUp(): Promise<void> {
		const { store, log, clock } = this.#parts;
		await this.#confirmations.read();
		for (const row of await store.abandoned(log.epoch, timestamp(clock.now()))) {
			// Attempts in this bridge end within a time limit, so their messages are not taken over.
			if (this.#sending.has(row.lane) && row.epoch === log.epoch) continue;
			const decide = ofOpenAction(row, ({ open }) => decideAbandoned(open, row.actionId, log.epoch, clock.now()));
			// If one change cannot be written, the other messages must still be taken over.
			await log.tryChange(row.planId, decide).catch(this.#parts.onError);
		}
	}
}

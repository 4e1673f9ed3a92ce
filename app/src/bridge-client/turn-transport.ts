import { setTimeout as pause } from "node:timers/promises";
import { ContractError, isTerminal, type MethodInput, type Snapshot, type TaskRef } from "@xworkmate/contracts";
import type { BridgeClient } from "./bridge-client.ts";
import { TurnStream, taskRef } from "./turn-stream.ts";
import { takeItems } from "./update-intake.ts";
import { type ClientBounds, clientBounds } from "./wire/client-bounds.ts";
import { type FailureVerdict, failureVerdict } from "./wire/failure-verdict.ts";
import type { StreamMethod } from "./wire/stream-item.ts";
import type { TurnEnd, TurnSink, TurnSubmission } from "./wire/turn-end.ts";

export interface TurnTransportOptions {
	readonly client: BridgeClient;
	readonly sink: TurnSink;
	/** Absent once the bridge has the turn. */
	readonly submission?: TurnSubmission;
	/** An earlier process may have sent it. */
	readonly resumed: boolean;
	readonly bounds?: ClientBounds;
}

/** How long a cancel waits for a pending submit to return. */
const SUBMIT_GRACE_MS = 250;

/**
 * Carries one turn to its terminal snapshot, whatever the connection does: submit under the turnId
 * (a repeat is the same run), follow the stream, on a drop subscribe after the last seq, else ask
 * `xworkmate.tasks.get`, until the bridge says how it ended or was unreachable for `recoveryMs`.
 */
export class TurnTransport {
	readonly #client: BridgeClient;
	readonly #sink: TurnSink;
	readonly #bounds: ClientBounds;
	readonly #submission: TurnSubmission | undefined;
	readonly #stream: TurnStream;
	#method: TurnSubmission["method"] | undefined;
	/** A submit left this machine and was not answered by a refusal. */
	#maybeSent: boolean;
	#cancelSent = false;
	#cancelUnknown = 0;
	#attempt = new AbortController();
	/** Ends the pause between two attempts, and no attempt. */
	#resting = new AbortController();
	#trying: Promise<unknown> = Promise.resolve();
	#failures = 0;
	#lostSince: number | undefined;
	/** The sink has been told that how the turn is now is not known. */
	#isLost: boolean;

	constructor({ client, sink, submission, resumed, bounds = clientBounds }: TurnTransportOptions) {
		this.#client = client;
		this.#sink = sink;
		this.#bounds = bounds;
		this.#submission = submission;
		this.#method = submission?.method;
		this.#maybeSent = resumed;
		this.#isLost = resumed;
		const heard = (progress: boolean) => {
			this.#lostSince = undefined;
			if (progress) this.#failures = 0;
		};
		this.#stream = new TurnStream({ client, sink, bounds, heard, isAtWork: () => this.#restored() });
	}

	/**
	 * Ends with the turn, or with `stopped` when the signal aborts. A terminal end that has been written is then told to
	 * `settled`. @throws only faults of the sink
	 */
	async run(signal: AbortSignal): Promise<TurnEnd> {
		if (this.#isLost) this.#sink.connection({ state: "unheard" });
		while (!signal.aborted) {
			const trying = this.#try(signal);
			this.#trying = trying.catch(() => undefined);
			const end = await trying;
			if (end !== undefined) return end;
			await this.#backOff(signal);
		}
		return { kind: "stopped" };
	}

	/** The end that `run` gave has been written: only now may the sink say that it knows how the turn is. */
	settled(): void {
		this.#restored();
	}

	/**
	 * Sends the user's cancel, which the sink's position carries already. True when the bridge has it;
	 * else it is sent as soon as the bridge answers.
	 */
	async cancel(): Promise<boolean> {
		// A pending submit may be about to report that it never left this machine, or which run it is.
		if (this.#sink.position().runId === undefined) await Promise.race([this.#trying, pause(SUBMIT_GRACE_MS)]);
		if (this.#sink.position().runId !== undefined) {
			try {
				const snapshot = await this.#client.call("xworkmate.tasks.cancel", this.#ref());
				this.#cancelSent = true;
				if (!isTerminal(snapshot.status)) this.#sink.handle(snapshot);
				return true;
			} catch (error) {
				if (failureVerdict(error) === undefined) throw error;
			}
		}
		this.#cancelSent = false;
		this.recheck();
		return false;
	}

	/** Ends the present attempt and its pause; the next one begins at once. */
	recheck(): void {
		this.#attempt.abort();
	}

	/** Ends the pause between two attempts: the bridge is back. A stream that is open is left alone. */
	hurry(): void {
		this.#resting.abort();
	}

	async #try(signal: AbortSignal): Promise<TurnEnd | undefined> {
		this.#attempt = new AbortController();
		const both = AbortSignal.any([signal, this.#attempt.signal]);
		try {
			const { cancelRequested, runId } = this.#sink.position();
			if (cancelRequested && !this.#cancelSent) return await this.#stop(both);
			if (runId !== undefined) return await this.#recover(both);
			return await this.#submit(both);
		} catch (error) {
			if (both.aborted) return undefined;
			return this.#failed(error);
		}
	}

	async #submit(signal: AbortSignal): Promise<TurnEnd | undefined> {
		if (this.#submission === undefined || this.#method === undefined) return await this.#ask(signal);
		const before = this.#maybeSent;
		this.#maybeSent = true;
		try {
			return await this.#settle(await this.#follow(this.#method, this.#submission.params, signal), signal);
		} catch (error) {
			const anew = error instanceof ContractError && (error.code === "SESSION_NOT_FOUND" || error.code === "SESSION_CLOSED");
			if (anew && this.#method === "session.message") {
				this.#method = "session.start";
				return await this.#submit(signal);
			}
			return this.#refused(error, before);
		}
	}

	/** A refusal of the submit itself; anything else is handled as a failed attempt. */
	#refused(error: unknown, maybeSentBefore: boolean): TurnEnd {
		const verdict = failureVerdict(error);
		if (verdict === undefined || this.#sink.position().runId !== undefined) throw error;
		const { resultCode, detail } = verdict;
		if (error instanceof ContractError && error.code !== "INTERNAL") {
			return { kind: "refused", resultCode: "failed", detail: { ...detail, fix: error.fix } };
		}
		if (verdict.unreached || !verdict.again) this.#maybeSent = maybeSentBefore;
		if (!verdict.again && !maybeSentBefore) return { kind: "refused", resultCode, detail };
		throw error;
	}

	async #recover(signal: AbortSignal): Promise<TurnEnd | undefined> {
		const { runId, lastSeq } = this.#sink.position();
		if (runId === undefined) return undefined;
		try {
			return await this.#settle(await this.#follow("xworkmate.tasks.subscribe", { runId }, signal, lastSeq), signal);
		} catch (error) {
			const verdict = failureVerdict(error);
			if (signal.aborted || verdict === undefined) throw error;
			this.#lost(verdict);
		}
		return await this.#ask(signal);
	}

	/** The handle's fields are query parameters and nothing else (docs/protocol.md#what-a-snapshot-says). */
	async #ask(signal: AbortSignal): Promise<TurnEnd | undefined> {
		const snapshot = await this.#client.call("xworkmate.tasks.get", this.#ref(), signal);
		takeItems(this.#sink, [{ type: "answer", snapshot }]);
		this.#lostSince = undefined;
		return await this.#settle(snapshot, signal);
	}

	async #stop(signal: AbortSignal): Promise<TurnEnd | undefined> {
		const unsent = this.#sink.position().runId === undefined;
		if (unsent && !this.#maybeSent) return { kind: "unsent" };
		try {
			const snapshot = await this.#client.call("xworkmate.tasks.cancel", this.#ref(), signal);
			takeItems(this.#sink, [{ type: "answer", snapshot }]);
			this.#cancelSent = true;
			this.#lostSince = undefined;
			return await this.#settle(snapshot, signal);
		} catch (error) {
			if (!unsent || !(error instanceof ContractError && error.code === "NOT_FOUND")) throw error;
			this.#lostSince = undefined;
			this.#cancelUnknown += 1;
			// Asked twice, with a pause between: a submit that was cut off may still have been on its way.
			return this.#cancelUnknown > 1 ? { kind: "unsent" } : undefined;
		}
	}

	async #settle(snapshot: Snapshot, signal: AbortSignal): Promise<TurnEnd | undefined> {
		if (!isTerminal(snapshot.status)) {
			this.#sink.handle(snapshot);
			this.#restored();
			return undefined;
		}
		if (this.#sink.position().lastSeq < snapshot.lastSeq) await this.#stream.fetchTail(snapshot, signal);
		return { kind: "terminal", snapshot };
	}

	#follow<M extends StreamMethod>(method: M, params: MethodInput<M>, signal: AbortSignal, after?: number): Promise<Snapshot> {
		return this.#stream.follow(method, params, signal, { after, confirm: this.#isLost });
	}

	#ref(): TaskRef {
		return taskRef(this.#sink);
	}

	/** The turn's current state is known. An answer from the bridge is not enough: replayed events and an ended run do not show it. */
	#restored(): void {
		if (!this.#isLost) return;
		this.#isLost = false;
		this.#sink.connection({ state: "restored" });
	}

	#lost({ detail }: FailureVerdict): void {
		if (this.#lostSince !== undefined) return;
		this.#lostSince = performance.now();
		this.#isLost = true;
		this.#sink.connection({ state: "lost", ...detail });
	}

	#failed(error: unknown): TurnEnd | undefined {
		const verdict = failureVerdict(error);
		if (verdict === undefined) throw error;
		this.#lost(verdict);
		this.#failures += 1;
		const { again, resultCode, detail } = verdict;
		const lostFor = performance.now() - (this.#lostSince ?? performance.now());
		if (again && lostFor < this.#bounds.recoveryMs) return undefined;
		const neverSent = this.#sink.position().runId === undefined && !this.#maybeSent;
		return { kind: neverSent ? "refused" : "lost", resultCode, detail };
	}

	async #backOff(signal: AbortSignal): Promise<void> {
		const { backoffMinMs, backoffMaxMs } = this.#bounds;
		const full = Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(this.#failures, 16));
		this.#resting = new AbortController();
		const wake = AbortSignal.any([signal, this.#attempt.signal, this.#resting.signal]);
		await pause(full * (0.5 + Math.random() / 2), undefined, { signal: wake }).catch(() => undefined);
	}
}

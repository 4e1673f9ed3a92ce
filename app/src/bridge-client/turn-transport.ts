import { setTimeout as pause } from "node:timers/promises";
import { ContractError, type ErrorCode, isTerminal, type MethodInput, type Snapshot, type TaskRef } from "@xworkmate/contracts";
import type { BridgeClient } from "./bridge-client.ts";
import { TurnContact } from "./turn-contact.ts";
import { refuseForeign, takeItems } from "./update-intake.ts";
import { closed } from "./wire/bridge-errors.ts";
import { type ClientBounds, clientBounds } from "./wire/client-bounds.ts";
import { failureVerdict } from "./wire/failure-verdict.ts";
import type { StreamMethod } from "./wire/stream-item.ts";
import type { TurnEnd, TurnSink, TurnSubmission } from "./wire/turn-end.ts";

export interface TurnTransportOptions {
	readonly client: BridgeClient;
	readonly sink: TurnSink;
	/** Absent once the bridge has the turn. */
	readonly submission?: TurnSubmission;
	/** True if an earlier process may have sent the turn. */
	readonly resumed: boolean;
	readonly bounds?: ClientBounds;
}

/** These codes mean that the bridge itself failed, so it may have accepted the turn. */
const leavesOpen: ReadonlySet<ErrorCode> = new Set(["INTERNAL", "DATABASE_DAMAGED"]);
/** How long a cancel waits for a pending submit to return. */
const SUBMIT_GRACE_MS = 250;

/**
 * Brings one turn to its terminal snapshot across any loss of connection. It submits the turn under its turnId (a repeated submit names the
 * same run) and follows the stream. When the stream drops, it subscribes after the last seq or asks `xworkmate.tasks.get`, until the bridge
 * reports the end or has been unreachable for `recoveryMs`.
 */
export class TurnTransport {
	readonly #client: BridgeClient;
	readonly #sink: TurnSink;
	readonly #bounds: ClientBounds;
	readonly #submission: TurnSubmission | undefined;
	readonly #contact: TurnContact;
	#method: TurnSubmission["method"] | undefined;
	/** True if the bridge may have accepted a submit. */
	#maybeSent: boolean;
	#cancelSent = false;
	#cancelUnknown = 0;
	#attempt = new AbortController();
	#trying: Promise<unknown> = Promise.resolve();

	constructor({ client, sink, submission, resumed, bounds = clientBounds }: TurnTransportOptions) {
		this.#client = client;
		this.#sink = sink;
		this.#bounds = bounds;
		this.#submission = submission;
		this.#method = submission?.method;
		this.#maybeSent = resumed;
		this.#contact = new TurnContact(bounds, resumed, (change) => sink.connection(change));
	}

	/**
	 * Resolves when the turn ends, or with `stopped` when the signal aborts. Once a terminal end has been written, call `settled`.
	 * @throws errors of the sink, and defects of the app
	 */
	async run(signal: AbortSignal): Promise<TurnEnd> {
		if (this.#contact.isLost) this.#sink.connection({ state: "unheard" });
		while (!signal.aborted) {
			const trying = this.#try(signal);
			this.#trying = trying.catch(() => undefined);
			const end = await trying;
			if (end !== undefined) return end;
			await this.#contact.backOff(AbortSignal.any([signal, this.#attempt.signal]));
		}
		return { kind: "stopped" };
	}

	/** Call this once the end that `run` returned has been written. Only then may the sink report that the turn's state is known. */
	settled(): void {
		this.#contact.restored();
	}

	/**
	 * Sends the user's request to stop, which is already part of the sink's position. Returns true if the bridge has it; otherwise it is sent
	 * as soon as the bridge answers.
	 */
	async cancel(): Promise<boolean> {
		// The pending submit may be about to name the run, or to report that it never reached the bridge.
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

	/** Ends the current attempt and its pause; the next attempt begins at once. */
	recheck(): void {
		this.#attempt.abort();
	}

	/** Ends the pause between two attempts, because the bridge is reachable again. An open stream is left alone. */
	hurry(): void {
		this.#contact.hurry();
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

	/** Handles a refusal of the submit itself; any other error counts as a failed attempt. */
	#refused(error: unknown, maybeSentBefore: boolean): TurnEnd {
		const verdict = failureVerdict(error);
		if (verdict === undefined || this.#sink.position().runId !== undefined) throw error;
		const { resultCode, detail } = verdict;
		if (error instanceof ContractError && !leavesOpen.has(error.code)) {
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
			this.#contact.lost(verdict.detail);
		}
		return await this.#ask(signal);
	}

	/**
	 * Asks the bridge about the run, sending only the fields of the handle that the protocol names (docs/protocol.md#what-a-snapshot-says).
	 */
	async #ask(signal: AbortSignal): Promise<TurnEnd | undefined> {
		const snapshot = await this.#client.call("xworkmate.tasks.get", this.#ref(), signal);
		refuseForeign(this.#sink, snapshot);
		this.#contact.heard();
		return await this.#settle(snapshot, signal);
	}

	async #stop(signal: AbortSignal): Promise<TurnEnd | undefined> {
		const unsent = this.#sink.position().runId === undefined;
		if (unsent && !this.#maybeSent) return { kind: "unsent" };
		try {
			const snapshot = await this.#client.call("xworkmate.tasks.cancel", this.#ref(), signal);
			refuseForeign(this.#sink, snapshot);
			this.#cancelSent = true;
			this.#contact.heard();
			return await this.#settle(snapshot, signal);
		} catch (error) {
			if (!unsent || !(error instanceof ContractError && error.code === "NOT_FOUND")) throw error;
			this.#contact.heard();
			this.#cancelUnknown += 1;
			// The bridge is asked twice, with a pause in between, because an interrupted submit may not have arrived yet.
			return this.#cancelUnknown > 1 ? { kind: "unsent" } : undefined;
		}
	}

	async #settle(snapshot: Snapshot, signal: AbortSignal): Promise<TurnEnd | undefined> {
		if (!isTerminal(snapshot.status)) {
			this.#sink.handle(snapshot);
			this.#contact.restored();
			return undefined;
		}
		if (this.#sink.position().lastSeq < snapshot.lastSeq) await this.#fetchTail(snapshot, signal);
		return { kind: "terminal", snapshot };
	}

	/**
	 * The stream's answer, or the terminal snapshot if a concurrent `tasks.get` returned it first; `after` is the last known seq.
	 * @throws ContractError, BridgeTransportError, AppError when the stream drops
	 */
	async #follow<M extends StreamMethod>(method: M, params: MethodInput<M>, signal: AbortSignal, after?: number): Promise<Snapshot> {
		const stop = new AbortController();
		const both = AbortSignal.any([signal, stop.signal]);
		const begun = Promise.withResolvers<void>();
		both.addEventListener("abort", () => begun.resolve());
		// Without a run, the turn is not queried yet: the stream names the run first.
		if (this.#sink.position().runId !== undefined) begun.resolve();
		const streamed = this.#consume(method, params, both, after, begun.resolve);
		// If the run's current state is unknown, it is queried at once, because the stream begins with past events or without any event.
		const polled = this.#pollBeside(both, this.#contact.isLost ? begun.promise : undefined);
		try {
			return await Promise.race([streamed, polled.then((snapshot) => snapshot ?? streamed)]);
		} finally {
			stop.abort();
			await Promise.allSettled([streamed, polled]);
		}
	}

	async #consume<M extends StreamMethod>(
		method: M,
		params: MethodInput<M>,
		signal: AbortSignal,
		after?: number,
		begun?: () => void,
	): Promise<Snapshot> {
		const options = after === undefined ? { signal } : { signal, lastEventId: after };
		for await (const items of this.#client.stream(method, params, options)) {
			if (signal.aborted) break;
			const before = this.#sink.position().lastSeq;
			const answer = takeItems(this.#sink, items);
			begun?.();
			// Only an answer that is valid for this turn counts.
			this.#contact.heard();
			if (this.#sink.position().lastSeq > before) this.#contact.progressed();
			if (answer !== undefined) return answer;
		}
		throw closed("The reader closed the stream.");
	}

	/** `confirm`: if given, the first query is made as soon as this promise resolves, without the initial pause. */
	async #pollBeside(signal: AbortSignal, confirm: Promise<void> | undefined): Promise<Snapshot | undefined> {
		const { pollMs, backoffMaxMs } = this.#bounds;
		await confirm;
		let isSure = confirm === undefined;
		for (let waitMs = isSure ? pollMs : 0; !signal.aborted; waitMs = isSure ? pollMs : backoffMaxMs) {
			if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
			if (signal.aborted) break;
			try {
				const snapshot = await this.#client.call("xworkmate.tasks.get", this.#ref(), signal);
				if (snapshot.turnId !== this.#sink.turnId) continue;
				if (!isTerminal(snapshot.status)) this.#contact.restored();
				// The first time, don't return: the stream has only just opened, and it still delivers the end and the text before it.
				else if (isSure) return snapshot;
				isSure = true;
			} catch (error) {
				// The stream is alive. Its own watchdog decides whether the connection is lost.
				if (failureVerdict(error) === undefined) throw error;
			}
		}
		return undefined;
	}

	/** Fetches the end of the transcript, if it arrives in time. The result of the turn does not depend on it. */
	async #fetchTail({ runId, lastSeq }: Snapshot, signal: AbortSignal): Promise<void> {
		const bound = AbortSignal.any([signal, AbortSignal.timeout(this.#bounds.tailMs)]);
		while (!bound.aborted && this.#sink.position().lastSeq < lastSeq) {
			try {
				await this.#consume("xworkmate.tasks.subscribe", { runId }, bound, this.#sink.position().lastSeq);
			} catch (error) {
				const verdict = failureVerdict(error);
				if (verdict === undefined) throw error;
				if (!verdict.again) return;
			}
			await pause(this.#bounds.backoffMinMs, undefined, { signal: bound }).catch(() => undefined);
		}
	}

	/** How a query names the turn: by its run and scope once those are known. */
	#ref(): TaskRef {
		const { threadId, turnId } = this.#sink;
		const { runId, artifactScope } = this.#sink.position();
		return runId === undefined ? { threadId, turnId } : { runId, ...(artifactScope && { artifactScope }) };
	}

	#failed(error: unknown): TurnEnd | undefined {
		const verdict = failureVerdict(error);
		if (verdict === undefined) throw error;
		const { again, resultCode, detail } = verdict;
		if (this.#contact.failed(detail) && again) return undefined;
		const neverSent = this.#sink.position().runId === undefined && !this.#maybeSent;
		return { kind: neverSent ? "refused" : "lost", resultCode, detail };
	}
}

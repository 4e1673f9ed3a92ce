import { setTimeout as pause } from "node:timers/promises";
import { isTerminal, type MethodInput, omitUndefined, type Snapshot, type TaskRef } from "@xworkmate/contracts";
import type { BridgeClient } from "./bridge-client.ts";
import { takeItems } from "./update-intake.ts";
import { closed } from "./wire/bridge-errors.ts";
import type { ClientBounds } from "./wire/client-bounds.ts";
import { failureVerdict } from "./wire/failure-verdict.ts";
import type { StreamMethod } from "./wire/stream-item.ts";
import type { TurnSink } from "./wire/turn-end.ts";

export interface TurnStreamOptions {
	readonly client: BridgeClient;
	readonly sink: TurnSink;
	readonly bounds: ClientBounds;
	/** Valid data for this turn arrived; `progress` = new updates. */
	readonly heard: (progress: boolean) => void;
	/** The bridge said that the run is not over. */
	readonly isAtWork: () => void;
}

export interface FollowOptions {
	/** The last seq that is known already. */
	readonly after?: number | undefined;
	/** The run's current state is unknown: asks for it at once in parallel, because the stream begins with past events or with nothing. */
	readonly confirm: boolean;
}

/** How a turn is named in a question: by its run once that is known, and its scope with it. */
export function taskRef(sink: TurnSink): TaskRef {
	const { runId, artifactScope } = sink.position();
	if (runId === undefined) return { threadId: sink.threadId, turnId: sink.turnId };
	return { runId, ...omitUndefined({ artifactScope }) };
}

/** One turn's event streams: each is followed to its answer, with `tasks.get` asked beside it. */
export class TurnStream {
	readonly #client: BridgeClient;
	readonly #sink: TurnSink;
	readonly #bounds: ClientBounds;
	readonly #heard: (progress: boolean) => void;
	readonly #isAtWork: () => void;

	constructor({ client, sink, bounds, heard, isAtWork }: TurnStreamOptions) {
		this.#client = client;
		this.#sink = sink;
		this.#bounds = bounds;
		this.#heard = heard;
		this.#isAtWork = isAtWork;
	}

	/**
	 * The stream's answer, or the terminal snapshot that `tasks.get` beside it saw first.
	 * @throws ContractError | BridgeTransportError | AppError when the stream drops
	 */
	async follow<M extends StreamMethod>(
		method: M,
		params: MethodInput<M>,
		signal: AbortSignal,
		{ after, confirm }: FollowOptions,
	): Promise<Snapshot> {
		const stop = new AbortController();
		const both = AbortSignal.any([signal, stop.signal]);
		const begun = Promise.withResolvers<void>();
		both.addEventListener("abort", () => begun.resolve());
		// A turn without a run is not asked about: the stream names it first.
		if (this.#sink.position().runId !== undefined) begun.resolve();
		const streamed = this.#consume(method, params, both, after, begun.resolve);
		const polled = this.#pollBeside(both, confirm ? begun.promise : undefined);
		try {
			return await Promise.race([streamed, polled.then((snapshot) => snapshot ?? streamed)]);
		} finally {
			stop.abort();
			await Promise.allSettled([streamed, polled]);
		}
	}

	/** The end of the transcript, if it arrives in time; the result does not depend on it. */
	async fetchTail({ runId, lastSeq }: Snapshot, signal: AbortSignal): Promise<void> {
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
			// Only what this turn can use counts as an answer.
			this.#heard(this.#sink.position().lastSeq > before);
			if (answer !== undefined) return answer;
		}
		throw closed("The reader closed the stream.");
	}

	/** `confirm`: asked once this settles, and not first after a pause. */
	async #pollBeside(signal: AbortSignal, confirm: Promise<void> | undefined): Promise<Snapshot | undefined> {
		const { pollMs, backoffMaxMs } = this.#bounds;
		await confirm;
		let isSure = confirm === undefined;
		for (let waitMs = isSure ? pollMs : 0; !signal.aborted; waitMs = isSure ? pollMs : backoffMaxMs) {
			if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
			if (signal.aborted) break;
			try {
				const snapshot = await this.#client.call("xworkmate.tasks.get", taskRef(this.#sink), signal);
				if (snapshot.turnId !== this.#sink.turnId) continue;
				if (!isTerminal(snapshot.status)) this.#isAtWork();
				// The stream that was just opened delivers the end and the text before it.
				else if (isSure) return snapshot;
				isSure = true;
			} catch (error) {
				// The stream is alive and its watchdog judges the connection.
				if (failureVerdict(error) === undefined) throw error;
			}
		}
		return undefined;
	}
}

import { ContractError, type ExecutionTarget, type RunId, type ThreadId } from "@xworkmate/contracts";
import type { RunLimits } from "../../ports/run-limits.ts";

interface Place {
	readonly threadId: ThreadId;
	readonly target: ExecutionTarget;
}

interface Waiting extends Place {
	readonly runId: RunId;
}

type AdmissionLimits = Pick<RunLimits, "maxActiveRuns" | "maxQueuedPerThread" | "maxQueued" | "gateway">;

export interface QueuePlace {
	readonly runId: RunId;
	/** 1 = next. Counts the runs that wait before it for the same target. */
	readonly position: number;
	readonly length: number;
}

/**
 * Decides which runs may start: one run per thread at a time, a limited number per target, in order of arrival; a full target does not
 * delay runs of the other. A run occupies its place from its start to its terminal event. Pure bookkeeping.
 */
export class Admission {
	readonly #limits: AdmissionLimits;
	readonly #active = new Map<RunId, Place>();
	/** Accepted, and about to be enqueued. */
	readonly #reserved = new Set<Place>();
	#waiting: Waiting[] = [];

	constructor(limits: AdmissionLimits) {
		this.#limits = limits;
	}

	get activeCount(): number {
		return this.#active.size;
	}

	get queuedCount(): number {
		return this.#waiting.length;
	}

	/**
	 * Reserves a place in the queue until disposed of; dispose of it when the run is enqueued or not accepted.
	 * @throws ContractError QUEUE_FULL, before anything is written.
	 */
	reserve(threadId: ThreadId, target: ExecutionTarget): Disposable {
		const queued = [...this.#waiting, ...this.#reserved];
		const ofThread = queued.filter((run) => run.threadId === threadId).length;
		if (ofThread >= this.#limits.maxQueuedPerThread) {
			throw new ContractError("QUEUE_FULL", { detail: `${ofThread} messages are already queued in this thread.` });
		}
		const ofTarget = queued.filter((run) => run.target === target);
		if (ofTarget.length >= this.#bounds(target).maxQueued && !this.#startsAtOnce(threadId, target, ofTarget)) {
			throw new ContractError("QUEUE_FULL", { detail: `${ofTarget.length} messages are already queued.` });
		}
		const place: Place = { threadId, target };
		this.#reserved.add(place);
		return { [Symbol.dispose]: () => this.#reserved.delete(place) };
	}

	enqueue(runId: RunId, threadId: ThreadId, target: ExecutionTarget): void {
		this.#waiting.push({ runId, threadId, target });
	}

	/** Takes a place for a new run that nothing has to end before; false: it has to be enqueued. */
	startAtOnce(runId: RunId, threadId: ThreadId, target: ExecutionTarget): boolean {
		if (!this.#hasRoom(target) || this.#busyThreads().has(threadId)) return false;
		if (this.#waiting.some((waiting) => waiting.threadId === threadId)) return false;
		this.#active.set(runId, { threadId, target });
		return true;
	}

	/** Takes the next run that may start. */
	next(): RunId | undefined {
		const run = this.#firstThatMay();
		if (run === undefined) return undefined;
		const { runId, threadId, target } = run;
		this.#waiting = this.#waiting.filter((waiting) => waiting !== run);
		this.#active.set(runId, { threadId, target });
		return runId;
	}

	/** Reserves a place for a run that continues after a restart. */
	resume(runId: RunId, threadId: ThreadId, target: ExecutionTarget): void {
		this.#active.set(runId, { threadId, target });
	}

	/** Releases the place of a run that has ended or left the queue. */
	release(runId: RunId): void {
		this.#active.delete(runId);
		this.#waiting = this.#waiting.filter((waiting) => waiting.runId !== runId);
	}

	places(): readonly QueuePlace[] {
		return [...Map.groupBy(this.#waiting, ({ target }) => target).values()].flatMap((queue) =>
			queue.map(({ runId }, index) => ({ runId, position: index + 1, length: queue.length })),
		);
	}

	/** A turn never overtakes an earlier one of its thread, whatever that one waits for. */
	#firstThatMay(): Waiting | undefined {
		const held = new Set(this.#busyThreads());
		return this.#waiting.find(({ threadId, target }) => {
			if (!held.has(threadId) && this.#hasRoom(target)) return true;
			held.add(threadId);
			return false;
		});
	}

	#bounds(target: ExecutionTarget): { readonly maxActive: number; readonly maxQueued: number } {
		const { maxActiveRuns, maxQueued, gateway } = this.#limits;
		return target === "gateway" ? gateway : { maxActive: maxActiveRuns, maxQueued };
	}

	#hasRoom(target: ExecutionTarget): boolean {
		const active = [...this.#active.values()].filter((place) => place.target === target).length;
		return active < this.#bounds(target).maxActive;
	}

	#busyThreads(): ReadonlySet<ThreadId> {
		return new Set([...this.#active.values()].map(({ threadId }) => threadId));
	}

	/** A run that starts at once needs no place in the queue. */
	#startsAtOnce(threadId: ThreadId, target: ExecutionTarget, queued: readonly Place[]): boolean {
		return queued.length === 0 && this.#hasRoom(target) && !this.#busyThreads().has(threadId);
	}
}

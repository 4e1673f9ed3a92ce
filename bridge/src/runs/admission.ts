import { ContractError, type RunId, type ThreadId } from "@xworkmate/contracts";

interface Waiting {
	readonly runId: RunId;
	readonly threadId: ThreadId;
}

export interface AdmissionLimits {
	readonly maxActiveRuns: number;
	readonly maxQueuedPerThread: number;
	readonly maxQueued: number;
}

export interface QueuePlace {
	readonly runId: RunId;
	/** 1 = next. Counts every waiting run before it. */
	readonly position: number;
	readonly length: number;
}

/**
 * Who may run: one run per thread at a time, a bounded number together, first come first served.
 * A place is held from the start of a run to its terminal event. Pure bookkeeping.
 */
export class Admission {
	readonly #limits: AdmissionLimits;
	readonly #active = new Map<RunId, ThreadId>();
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

	/** @throws ContractError QUEUE_FULL, before anything is written. */
	check(threadId: ThreadId): void {
		const ofThread = this.#waiting.filter((run) => run.threadId === threadId).length;
		if (ofThread >= this.#limits.maxQueuedPerThread) {
			throw new ContractError("QUEUE_FULL", { detail: `this thread has ${ofThread} turns waiting already` });
		}
		if (this.#waiting.length >= this.#limits.maxQueued) {
			throw new ContractError("QUEUE_FULL", { detail: `${this.#waiting.length} turns wait already` });
		}
	}

	enqueue(runId: RunId, threadId: ThreadId): void {
		this.#waiting.push({ runId, threadId });
	}

	/** Takes the next run that may start. */
	next(): RunId | undefined {
		if (this.#active.size >= this.#limits.maxActiveRuns) return undefined;
		const busy = new Set(this.#active.values());
		const run = this.#waiting.find(({ threadId }) => !busy.has(threadId));
		if (run === undefined) return undefined;
		this.#waiting = this.#waiting.filter((waiting) => waiting !== run);
		this.#active.set(run.runId, run.threadId);
		return run.runId;
	}

	/** Holds a place for a run that goes on after a restart. */
	resume(runId: RunId, threadId: ThreadId): void {
		this.#active.set(runId, threadId);
	}

	/** The run is over, or left the queue. */
	release(runId: RunId): void {
		this.#active.delete(runId);
		this.#waiting = this.#waiting.filter((waiting) => waiting.runId !== runId);
	}

	places(): readonly QueuePlace[] {
		const { length } = this.#waiting;
		return this.#waiting.map(({ runId }, index) => ({ runId, position: index + 1, length }));
	}
}

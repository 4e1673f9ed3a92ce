import { ContractError, type ExecutionTarget, type RunId, type ThreadId } from "@xworkmate/contracts";
import type { RunLimits } from "../../ports/runs/run-limits.ts";

interface Place {
	readonly threadId: ThreadId;
	readonly target: ExecutionTarget;
}

type AdmissionLimits = Pick<RunLimits, "maxActiveRuns" | "maxQueuedPerThread" | "maxQueued" | "gateway">;

export interface QueuePlace {
	/** 1 means next. Counts only runs that wait for the same target. */
	readonly position: number;
	readonly length: number;
}

/**
 * Decides which runs may start: one run per thread at a time, a limited number per target, in order of arrival. A full target does not
 * delay other threads' runs of the other target. A run occupies a slot from start to end, except while it is parked. Pure
 * bookkeeping, without I/O.
 */
export class Admission {
	readonly #limits: AdmissionLimits;
	readonly #active = new Map<RunId, Place>();
	/**
	 * Runs that wait for the user, or for a slot after the user has answered. Each keeps its thread busy, but takes none of its target's
	 * slots.
	 */
	readonly #parked = new Map<RunId, Place>();
	/** Parked runs that may continue, in the order in which that became possible. They come before every run that has not started. */
	readonly #returning = new Set<RunId>();
	/** Runs that have not started, in order of arrival. */
	readonly #waiting = new Map<RunId, Place>();
	readonly #places = {
		active: new PlaceCounts(),
		waiting: new PlaceCounts(),
		/** Runs that wait for the user, or for a slot after the user has answered. */
		parked: new PlaceCounts(),
		/** Runs that were accepted and are about to be enqueued. */
		reserved: new PlaceCounts(),
	};

	constructor(limits: AdmissionLimits) {
		this.#limits = limits;
	}

	get activeCount(): number {
		return this.#active.size;
	}

	get queuedCount(): number {
		return this.#waiting.size;
	}

	/**
	 * Reserves a place in the queue until the result is disposed of. Dispose of it when the run begins, is enqueued or is not accepted.
	 * @throws ContractError QUEUE_FULL, before anything is written.
	 */
	reserve(threadId: ThreadId, target: ExecutionTarget): Disposable {
		const { waiting, reserved } = this.#places;
		const ofThread = waiting.ofThread(threadId) + reserved.ofThread(threadId);
		if (ofThread >= this.#limits.maxQueuedPerThread) {
			throw new ContractError("QUEUE_FULL", { detail: `${messagesAre(ofThread)} already queued in this thread.` });
		}
		const ofTarget = waiting.ofTarget(target) + reserved.ofTarget(target);
		if (ofTarget >= this.#bounds(target).maxQueued && !(ofTarget === 0 && this.#startsAtOnce(threadId, target))) {
			const isNone = this.#bounds(target).maxQueued === 0;
			const detail = isNone
				? "The message can't start at once, and the settings allow no queued messages."
				: `${messagesAre(ofTarget)} already queued.`;
			throw new ContractError("QUEUE_FULL", { detail });
		}
		const place: Place = { threadId, target };
		reserved.add(place);
		let isHeld = true;
		return {
			[Symbol.dispose]: () => {
				if (isHeld) reserved.remove(place);
				isHeld = false;
			},
		};
	}

	enqueue(runId: RunId, threadId: ThreadId, target: ExecutionTarget): void {
		const place: Place = { threadId, target };
		this.#waiting.set(runId, place);
		this.#places.waiting.add(place);
	}

	/** Takes a slot for a new run, if no other run has to end first. False: the run has to be enqueued. */
	startAtOnce(runId: RunId, threadId: ThreadId, target: ExecutionTarget): boolean {
		if (!this.#startsAtOnce(threadId, target) || this.#places.waiting.ofThread(threadId) > 0) return false;
		this.#occupy(runId, { threadId, target });
		return true;
	}

	/** Gives a slot to the next run that may start or continue, and returns it. */
	next(): RunId | undefined {
		for (const returning of this.#returning) {
			const place = this.#parked.get(returning);
			if (place === undefined || !this.#hasRoom(place.target)) continue;
			this.#leaveParked(returning);
			this.#occupy(returning, place);
			return returning;
		}
		const runId = this.#firstThatMay();
		const place = runId && this.#leaveQueue(runId);
		if (runId !== undefined && place !== undefined) this.#occupy(runId, place);
		return runId;
	}

	/** Gives a slot to a run that continues after a restart, even if no slot is free. */
	resume(runId: RunId, threadId: ThreadId, target: ExecutionTarget): void {
		this.#occupy(runId, { threadId, target });
	}

	/** Parks a run that waits for the user: its slot is released, and its thread stays busy. */
	park(runId: RunId): void {
		const place = this.#active.get(runId);
		if (place === undefined) return;
		this.#active.delete(runId);
		this.#places.active.remove(place);
		this.#parked.set(runId, place);
		this.#places.parked.add(place);
	}

	/** Lets a parked run continue: it is the next to get a slot, after those that were unparked before. */
	unpark(runId: RunId): void {
		if (this.#parked.has(runId)) this.#returning.add(runId);
	}

	isParked(runId: RunId): boolean {
		return this.#parked.has(runId);
	}

	/** Releases the slot, or the place in the queue, of a run that has ended or is no longer waiting. */
	release(runId: RunId): void {
		this.#leaveQueue(runId);
		this.#leaveParked(runId);
		const place = this.#active.get(runId);
		if (place !== undefined) this.#places.active.remove(place);
		this.#active.delete(runId);
	}

	/** The runs that wait, in order of arrival. */
	waiting(): Iterable<readonly [RunId, QueuePlace]> {
		return this.#walk();
	}

	/** Where the run is waiting now; undefined if it is not waiting. */
	placeOf(runId: RunId): QueuePlace | undefined {
		if (!this.#waiting.has(runId)) return undefined;
		for (const [waiting, place] of this.#walk()) if (waiting === runId) return place;
		return undefined;
	}

	*#walk(): Iterable<readonly [RunId, QueuePlace]> {
		const before = { agent: 0, gateway: 0 };
		for (const [runId, { target }] of this.#waiting) {
			yield [runId, { position: ++before[target], length: this.#places.waiting.ofTarget(target) }];
		}
	}

	/** The first waiting run that may start. A run never overtakes an earlier one of its thread, whatever the earlier one is waiting for. */
	#firstThatMay(): RunId | undefined {
		if (this.#waiting.size === 0 || !(this.#hasRoom("agent") || this.#hasRoom("gateway"))) return undefined;
		const held = new Set<ThreadId>();
		for (const [runId, { threadId, target }] of this.#waiting) {
			if (!this.#isBusy(threadId) && !held.has(threadId) && this.#hasRoom(target)) return runId;
			held.add(threadId);
		}
		return undefined;
	}

	#occupy(runId: RunId, place: Place): void {
		this.#active.set(runId, place);
		this.#places.active.add(place);
	}

	#leaveParked(runId: RunId): void {
		const place = this.#parked.get(runId);
		if (place !== undefined) this.#places.parked.remove(place);
		this.#parked.delete(runId);
		this.#returning.delete(runId);
	}

	#leaveQueue(runId: RunId): Place | undefined {
		const place = this.#waiting.get(runId);
		if (place !== undefined) this.#places.waiting.remove(place);
		this.#waiting.delete(runId);
		return place;
	}

	#bounds(target: ExecutionTarget): { readonly maxActive: number; readonly maxQueued: number } {
		const { maxActiveRuns, maxQueued, gateway } = this.#limits;
		return target === "gateway" ? gateway : { maxActive: maxActiveRuns, maxQueued };
	}

	#hasRoom(target: ExecutionTarget): boolean {
		return this.#places.active.ofTarget(target) < this.#bounds(target).maxActive;
	}

	#isBusy(threadId: ThreadId): boolean {
		return this.#places.active.ofThread(threadId) + this.#places.parked.ofThread(threadId) > 0;
	}

	/** True for a run that can start at once, and so needs no place in the queue. */
	#startsAtOnce(threadId: ThreadId, target: ExecutionTarget): boolean {
		return this.#hasRoom(target) && !this.#isBusy(threadId);
	}
}

function messagesAre(count: number): string {
	return count === 1 ? "1 message is" : `${count} messages are`;
}

/** Counts the places of each thread and each target. */
class PlaceCounts {
	readonly #ofThread = new Map<ThreadId, number>();
	readonly #ofTarget = { agent: 0, gateway: 0 };

	ofThread(threadId: ThreadId): number {
		return this.#ofThread.get(threadId) ?? 0;
	}

	ofTarget(target: ExecutionTarget): number {
		return this.#ofTarget[target];
	}

	add(place: Place): void {
		this.#change(place, 1);
	}

	remove(place: Place): void {
		this.#change(place, -1);
	}

	#change({ threadId, target }: Place, by: 1 | -1): void {
		const count = this.ofThread(threadId) + by;
		if (count === 0) this.#ofThread.delete(threadId);
		else this.#ofThread.set(threadId, count);
		this.#ofTarget[target] += by;
	}
}

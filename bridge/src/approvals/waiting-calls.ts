import type { Approval, ApprovalId, RunId } from "@xworkmate/contracts";
import type { Clock } from "../ports/clock.ts";

/** The part of an unfinished run that is needed to expire its requests. */
export interface AskingRun {
	readonly state: { readonly pendingApprovals: readonly Approval[] };
	dispatch(command: { readonly type: "expire"; readonly approvalId: ApprovalId }): boolean;
}

/**
 * The typed calls of all runs that wait for the user: how many there are, and when they expire. Their requests are in the runs' logs, so no
 * program has to stay in memory to wait for the answer. One timer expires all of them, including those of an earlier bridge.
 */
export class WaitingCalls implements Disposable {
	readonly #clock: Clock;
	/** Undefined for a run that has ended. */
	readonly #runOf: (runId: RunId) => AskingRun | undefined;
	/** Runs in which a call was waiting when they were last checked. */
	readonly #asking = new Set<RunId>();
	#timer: { readonly at: number; readonly armed: Disposable } | undefined;
	#isOver = false;

	constructor(clock: Clock, runOf: (runId: RunId) => AskingRun | undefined) {
		this.#clock = clock;
		this.#runOf = runOf;
	}

	get count(): number {
		let count = 0;
		for (const runId of this.#asking) count += this.#waitingIn(runId).length;
		return count;
	}

	/** Call this after a run has made a request, and for each unfinished run of an earlier bridge. */
	watch(runId: RunId): void {
		const waiting = this.#waitingIn(runId);
		if (this.#isOver || waiting.length === 0) return;
		this.#asking.add(runId);
		this.#arm(earliest(waiting));
	}

	[Symbol.dispose](): void {
		this.#isOver = true;
		this.#timer?.armed[Symbol.dispose]();
	}

	#arm(at: number): void {
		if (this.#isOver || (this.#timer !== undefined && this.#timer.at <= at)) return;
		this.#timer?.armed[Symbol.dispose]();
		this.#timer = { at, armed: this.#clock.at(at, () => this.#expire(at)) };
	}

	/**
	 * `dueAt`: the time that the timer was set to. Requests due then expire even if the clock has been set back since, so that setting it
	 * back cannot extend them.
	 */
	#expire(dueAt: number): void {
		this.#timer = undefined;
		const until = Math.max(dueAt, this.#clock.now());
		let next = Number.POSITIVE_INFINITY;
		for (const runId of this.#asking) {
			for (const { approvalId, expiresAt } of this.#waitingIn(runId)) {
				if (Date.parse(expiresAt) <= until) this.#runOf(runId)?.dispatch({ type: "expire", approvalId });
			}
			const left = this.#waitingIn(runId);
			if (left.length === 0) this.#asking.delete(runId);
			else next = Math.min(next, earliest(left));
		}
		if (next < Number.POSITIVE_INFINITY) this.#arm(next);
	}

	#waitingIn(runId: RunId): readonly Approval[] {
		return (this.#runOf(runId)?.state.pendingApprovals ?? []).filter(({ toolId }) => toolId !== undefined);
	}
}

function earliest(waiting: readonly Approval[]): number {
	return waiting.reduce((first, { expiresAt }) => Math.min(first, Date.parse(expiresAt)), Number.POSITIVE_INFINITY);
}

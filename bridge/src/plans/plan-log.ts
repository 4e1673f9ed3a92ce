import { ContractError, type InboxMessage, type PlanId, type RequestId, type Sha256 } from "@xworkmate/contracts";
import { type Clock, timestamp } from "../ports/clock.ts";
import { isDiskFull } from "../ports/disk-full.ts";
import type { FedPlanEvent, Payload, PlanEvent, PlanState } from "../ports/plans/plan-event.ts";
import type { PlanStore } from "../ports/plans/plan-store.ts";
import { placed, planView } from "./domain/plan-state.ts";

/** What a command changes about a plan, with everything that is written in the same transaction. */
export interface PlanDecision {
	readonly events: readonly PlanEvent[];
	/** Built messages that the events refer to. */
	readonly payloads?: readonly Payload[];
	/** Rows of the dashboard's inbox. */
	readonly inbox?: readonly InboxMessage[];
}

/** Called again with the newer state whenever another commit of the plan came first. */
export type DecidePlan = (state: PlanState) => readonly PlanEvent[] | PlanDecision;

/** `events`: what was committed; empty if nothing was decided. `state`: the state after these events. */
export interface PlanCommitted {
	readonly state: PlanState;
	readonly events: readonly FedPlanEvent[];
}

export interface PlanLogOptions {
	readonly store: PlanStore;
	readonly clock: Clock;
	/** The epoch of this bridge process (`PlanStore.beginEpoch`). */
	readonly epoch: number;
	/** How long `change` retries when the store fails, in milliseconds. If the disk is full, it retries without limit. */
	readonly retryForMs: number;
	/** The delay between two tries, in milliseconds; 500 if absent. */
	readonly retryEveryMs?: number;
	/** Called when an event that has happened cannot be written: the process must not continue. */
	readonly onFatal: (error: unknown) => void;
	/** Called when a write failed and will be retried, or when a listener failed. */
	readonly onError: (error: unknown) => void;
}

type Listener = (events: readonly FedPlanEvent[]) => void;

const RETRY_EVERY_MS = 500;

/**
 * The only way to write to plans. The state is read for each change and never kept. A change is decided and appended by compare-and-set, and
 * decided again if another change was appended first. Nothing is shown before it is durable.
 */
export class PlanLog implements Disposable {
	readonly epoch: number;
	readonly #options: PlanLogOptions;
	readonly #listeners = new Set<Listener>();
	#isClosed = false;

	constructor(options: PlanLogOptions) {
		this.epoch = options.epoch;
		this.#options = options;
	}

	/**
	 * Writes the events that make a plan. Undefined if the plan exists, or if another plan was made with the same request.
	 *
	 * @throws the store's error
	 */
	async create(
		made: { readonly planId: PlanId; readonly requestId: RequestId; readonly inputHash: Sha256 },
		events: readonly PlanEvent[],
	): Promise<PlanCommitted | undefined> {
		const { planId, requestId, inputHash } = made;
		const next = placed(undefined, events, timestamp(this.#options.clock.now()));
		const { epoch } = this;
		const append = { planId, ...next, view: planView(next.state), epoch, made: { requestId, inputHash } };
		const result = await this.#options.store.append(append);
		if (result.kind === "behind") return undefined;
		this.#announce(result.events);
		return { state: next.state, events: result.events };
	}

	/**
	 * Writes changes that have happened or have to happen, so the call waits while the disk is full, and a store that keeps failing ends the
	 * process.
	 *
	 * @throws ContractError NOT_FOUND; what `decide` throws; the store's error, after `onFatal` or once the log is disposed of
	 */
	async change(planId: PlanId, decide: DecidePlan): Promise<PlanCommitted> {
		let failingSince: number | undefined;
		for (;;) {
			const attempt = await this.#attempt(planId, decide);
			if (attempt.kind === "done") return attempt.committed;
			const { error } = attempt;
			if (this.#isClosed) throw error;
			failingSince = isDiskFull(error) ? undefined : (failingSince ?? performance.now());
			if (failingSince !== undefined && performance.now() - failingSince >= this.#options.retryForMs) {
				this.#tell(() => this.#options.onFatal(error));
				throw error;
			}
			this.#tell(() => this.#options.onError(error));
			await new Promise((resolve) => setTimeout(resolve, this.#options.retryEveryMs ?? RETRY_EVERY_MS));
		}
	}

	/**
	 * Writes what a caller requests. If that fails, the caller gets the error. `seen`: the plan as it was just read; it is read again if
	 * another commit came first.
	 *
	 * @throws ContractError NOT_FOUND; what `decide` throws; the store's error, immediately
	 */
	async tryChange(planId: PlanId, decide: DecidePlan, seen?: PlanState): Promise<PlanCommitted> {
		const attempt = await this.#attempt(planId, decide, seen);
		if (attempt.kind === "failed") throw attempt.error;
		return attempt.committed;
	}

	/** Calls back after each commit, in the order of the commits of a plan. Returns a function that unsubscribes. */
	onCommitted(listener: Listener): () => void {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}

	/** Called when the bridge is stopping: failed writes are no longer retried, and the next bridge makes up for them. */
	[Symbol.dispose](): void {
		this.#isClosed = true;
	}

	/** Decides and appends, and starts over if another commit came first. An append includes the receipts of the decision. `failed`: the store failed. */
	async #attempt(
		planId: PlanId,
		decide: DecidePlan,
		seen?: PlanState,
	): Promise<{ readonly kind: "done"; readonly committed: PlanCommitted } | { readonly kind: "failed"; readonly error: unknown }> {
		const { store, clock } = this.#options;
		for (let known = seen; ; known = undefined) {
			const read = await storeAnswer(known === undefined ? store.find(planId) : Promise.resolve(known));
			if (read.kind === "failed") return read;
			const state = read.answer;
			if (state === undefined) throw new ContractError("NOT_FOUND", { detail: `There is no plan ${planId}.` });
			const { events, ...beside } = asDecision(decide(state));
			if (events.length === 0) return { kind: "done", committed: { state, events: [] } };
			const next = placed(state, events, timestamp(clock.now()));
			const append = { planId, ...next, view: planView(next.state), epoch: this.epoch, ...beside };
			const written = await storeAnswer(store.append(append));
			if (written.kind === "failed") return written;
			if (written.answer.kind === "behind") continue;
			this.#announce(written.answer.events);
			return { kind: "done", committed: { state: next.state, events: written.answer.events } };
		}
	}

	#announce(events: readonly FedPlanEvent[]): void {
		for (const listener of [...this.#listeners]) {
			try {
				listener(events);
			} catch (error) {
				this.#tell(() => this.#options.onError(error));
			}
		}
	}

	/** Reports a failure. An error in the reporter must not undo what is committed. */
	#tell(tell: () => void): void {
		try {
			tell();
		} catch {
			// The reporter itself failed, so the failure cannot be reported.
		}
	}
}

function asDecision(decided: readonly PlanEvent[] | PlanDecision): PlanDecision {
	return "events" in decided ? decided : { events: decided };
}

async function storeAnswer<T>(
	call: Promise<T>,
): Promise<{ readonly kind: "answered"; readonly answer: T } | { readonly kind: "failed"; readonly error: unknown }> {
	try {
		return { kind: "answered", answer: await call };
	} catch (error) {
		return { kind: "failed", error };
	}
}

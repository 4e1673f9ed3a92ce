import { ContractError, type RunId, type Snapshot, type TaskRef, type ThreadId } from "@xworkmate/contracts";
import { foldStream } from "../../log/read-stream.ts";
import type { EarlierTurn } from "../../ports/agents/provider.ts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { RunFacts, RunRecord } from "../../ports/runs/run-record.ts";
import type { RunLogStore, RunStore, UnfinishedRun } from "../../ports/runs/run-store.ts";
import type { QueuePlace } from "../domain/admission.ts";
import { runRules } from "../domain/run-rules.ts";
import type { RunState } from "../domain/run-state.ts";
import { toSnapshot } from "../domain/run-view.ts";
import { earlierTurns } from "./earlier-turns.ts";
import type { LiveRun } from "./live-run.ts";

const DELETION = "This thread is being deleted.";
const DELETION_FIX = "Wait until it is deleted. If its deletion has failed, delete it again.";

/** Finds runs, live or sealed. */
export class RunLookup {
	readonly #runs: RunStore;
	readonly #log: RunLogStore;
	readonly #clock: Clock;
	readonly #placeOf: (runId: RunId) => QueuePlace | undefined;
	readonly #live = new Map<RunId, LiveRun>();
	/** The locked threads, each with the reason why no turn may begin in it. */
	readonly #locked = new Map<ThreadId, { readonly detail: string }>();

	/** `placeOf` returns a run's current place in the queue. */
	constructor(runs: RunStore, log: RunLogStore, clock: Clock, placeOf: (runId: RunId) => QueuePlace | undefined) {
		this.#runs = runs;
		this.#log = log;
		this.#clock = clock;
		this.#placeOf = placeOf;
	}

	add(run: LiveRun): void {
		this.#live.set(run.runId, run);
	}

	remove(runId: RunId): void {
		this.#live.delete(runId);
	}

	live(runId: RunId): LiveRun | undefined {
		return this.#live.get(runId);
	}

	liveOf(threadId: ThreadId): readonly LiveRun[] {
		return [...this.#live.values()].filter((run) => run.record.threadId === threadId);
	}

	/**
	 * Prevents new turns in a thread, for the given reason. Only a deletion may lock a thread that is locked already, and only if the other
	 * lock is a deletion's too, because a deletion that failed leaves the thread locked until it is repeated. The end of the later lock
	 * unlocks the thread.
	 * @throws ContractError THREAD_BUSY while the thread is locked and may not be locked again
	 */
	lock(threadId: ThreadId, detail = DELETION): Disposable {
		if (detail !== DELETION || this.#locked.get(threadId)?.detail !== DELETION) this.assertUnlocked(threadId);
		const lock = { detail };
		this.#locked.set(threadId, lock);
		return {
			[Symbol.dispose]: () => {
				if (this.#locked.get(threadId) === lock) this.#locked.delete(threadId);
			},
		};
	}

	/** @throws ContractError THREAD_BUSY while the thread is locked. */
	assertUnlocked(threadId: ThreadId): void {
		const lock = this.#locked.get(threadId);
		if (lock === undefined) return;
		// After a failed deletion, the thread stays locked until the deletion is repeated.
		const fix = lock.detail === DELETION ? { fix: DELETION_FIX } : {};
		throw new ContractError("THREAD_BUSY", { detail: lock.detail, ...fix });
	}

	/** @throws ContractError NOT_FOUND */
	async record(runId: RunId): Promise<RunRecord> {
		const record = this.#live.get(runId)?.record ?? (await this.#runs.findRun(runId));
		if (record === undefined) throw new ContractError("NOT_FOUND", { detail: `There is no run ${runId}.` });
		return record;
	}

	/**
	 * What identifies a run, without its input.
	 * @throws ContractError NOT_FOUND
	 */
	async facts(ref: TaskRef): Promise<RunFacts> {
		const live = "runId" in ref ? this.#live.get(ref.runId)?.record : undefined;
		const facts = live ?? (await this.#runs.findFacts(ref));
		if (facts !== undefined) return facts;
		throw new ContractError("NOT_FOUND", { detail: "runId" in ref ? `There is no run ${ref.runId}.` : "This turn has no run." });
	}

	/** The turns of the run's conversation before this one. */
	earlierTurns(record: RunRecord): Promise<readonly EarlierTurn[]> {
		return earlierTurns(record, this.#runs);
	}

	/**
	 * The committed snapshot.
	 * @throws ContractError NOT_FOUND
	 */
	async snapshot(runId: RunId): Promise<Snapshot> {
		const live = this.#live.get(runId);
		if (live !== undefined) return this.#placed(live.snapshot());
		const sealed = await this.#runs.sealedSnapshot(runId);
		if (sealed !== undefined) return { ...sealed, serverTime: timestamp(this.#clock.now()) };
		// The run has not ended and was not continued, so its log is complete.
		return toSnapshot(await this.facts({ runId }), await this.fold(runId), this.#clock.now());
	}

	/** The snapshot with the run's current place in the queue, because the log records only a few of its places. */
	#placed(snapshot: Snapshot): Snapshot {
		const place = snapshot.status === "queued" ? this.#placeOf(snapshot.runId) : undefined;
		if (place === undefined) return snapshot;
		return { ...snapshot, progress: { stage: "queued", queuePosition: place.position, queueLength: place.length } };
	}

	/**
	 * The state of a stored run. The state of a waiting run usually follows from its last event, so the log is not read from the beginning.
	 */
	async restore({ runId, status, lastSeq }: UnfinishedRun): Promise<RunState> {
		if (status !== "queued") return this.fold(runId);
		const last = (await this.#log.readEvents(runId, lastSeq - 1, 1)).at(0);
		const saysAll = last?.event.type === "accepted" || last?.event.type === "queue_moved";
		return last !== undefined && saysAll ? runRules.apply(runRules.initial, last) : this.fold(runId);
	}

	/** The state of a run, computed from its whole stored log. */
	fold(runId: RunId): Promise<RunState> {
		return foldStream(this.#log, runId, runRules);
	}
}

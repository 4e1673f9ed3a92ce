import { setImmediate } from "node:timers/promises";
import type { ProviderId, RunId, Snapshot, ThreadId } from "@xworkmate/contracts";
import type { WaitingCalls } from "../../approvals/waiting-calls.ts";
import type { CommitLog } from "../../log/commit-log.ts";
import type { Provider } from "../../ports/agents/provider.ts";
import type { Clock } from "../../ports/clock.ts";
import { isDiskFull } from "../../ports/disk-full.ts";
import type { RunLimits } from "../../ports/runs/run-limits.ts";
import type { StepStore } from "../../ports/runs/run-step.ts";
import type { RunAppend, RunStore, UnfinishedRun } from "../../ports/runs/run-store.ts";
import type { RunWorkspace } from "../../ports/runs/run-workspace.ts";
import type { Admission } from "../domain/admission.ts";
import type { Attempts, EndBefore, Suspicion } from "../domain/attempts.ts";
import { isOver } from "../domain/run-state.ts";
import { continuationOf, lostRuns } from "./continuation.ts";
import { interruptRuns, type LostRun, withdrawRequests } from "./interrupt-runs.ts";
import { LiveRun } from "./live-run.ts";
import { ParkedRuns } from "./parked-runs.ts";
import { QueuePlaces } from "./queue-places.ts";
import type { RunLookup } from "./run-lookup.ts";
import type { DriveMode, TurnRunner } from "./turn-runner.ts";

/** How much longer than `stopMs` sealing may take for runs that ended in time. */
const SEAL_MS = 5_000;

export interface CoordinatorDeps {
	readonly runs: RunStore;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
	readonly lookup: RunLookup;
	readonly log: CommitLog<RunId, RunAppend>;
	readonly admission: Admission;
	readonly attempts: Attempts;
	readonly waiting: WaitingCalls;
	readonly workspace: RunWorkspace;
	readonly clock: Clock;
	readonly limits: Pick<RunLimits, "stopMs" | "provenMs">;
	/** `wasAlone`: no other run was active during this one. */
	readonly newRunner: (run: LiveRun, wasAlone: () => boolean) => TurnRunner;
	readonly steps: StepStore;
	/** Called when a run is parked, and everything about it is in the log. */
	readonly onPark: (runId: RunId) => void;
	readonly onError: (error: unknown, runId?: RunId) => void;
}

/** Owns all unfinished runs: queue, start, cancel, recovery, shutdown. */
export class Coordinator {
	readonly #deps: CoordinatorDeps;
	readonly #runners = new Map<RunId, TurnRunner>();
	readonly #ends = new Map<RunId, Promise<void>>();
	/** The run that has been the only active one since it started; undefined if there is none. */
	#alone: RunId | undefined;
	readonly #places: QueuePlaces;
	readonly #parked: ParkedRuns;
	readonly #stopped = Promise.withResolvers<void>();
	#stopping = false;
	/**
	 * Runs that were in progress when the previous bridge ended, or all unfinished runs of a restored backup, oldest first. Empty once they
	 * have been continued or ended.
	 */
	#found: readonly LiveRun[] = [];
	/** Settles once all runs that cannot continue have ended. */
	#interrupted: Promise<unknown> = Promise.resolve();
	#suspicion: Suspicion = { suspects: new Set(), poisoned: new Set() };
	/** Settles when the earlier runs have been continued. No new run starts before that. */
	readonly #recovered = Promise.withResolvers<void>();
	#isRecovered = false;

	constructor(deps: CoordinatorDeps) {
		this.#deps = deps;
		this.#places = new QueuePlaces(deps.admission, deps.lookup, deps.clock);
		this.#parked = new ParkedRuns({ ...deps, onRoom: () => this.startWhatMay() });
	}

	/**
	 * Gives a new run a slot if no other run has to end first, the earlier runs have been continued, and the bridge is not stopping: its
	 * start is then written with its intent, and `begin` follows. The attempt is written first, because a bridge may start a run again only
	 * if the bridge before it left an attempt.
	 */
	async admit({ runId, record }: LiveRun): Promise<boolean> {
		const { admission, attempts } = this.#deps;
		if (this.#stopping || !this.#isRecovered) return false;
		if (!admission.startAtOnce(runId, record.threadId, record.provider.target)) return false;
		await attempts.open(runId);
		return true;
	}

	/** Executes an admitted run. */
	begin(run: LiveRun): void {
		this.#drive(run, "start");
	}

	/** Releases the slot of an admitted run that was not accepted. */
	dismiss(runId: RunId): void {
		this.#deps.attempts.close(runId);
		this.#deps.admission.release(runId);
		this.startWhatMay();
	}

	/** Adds an accepted run to the queue and starts the runs that may start. */
	enqueue(run: LiveRun): void {
		this.#deps.admission.enqueue(run.runId, run.record.threadId, run.record.provider.target);
		this.startWhatMay();
		this.#places.write(run);
	}

	/**
	 * Records the intent to stop. Waits for the end only if the provider has ended. Only a terminal snapshot says that the run has stopped.
	 * @throws ContractError NOT_FOUND; DISK_FULL, although the agent is still told to stop
	 */
	async cancel(runId: RunId): Promise<Snapshot> {
		const { lookup } = this.#deps;
		const run = lookup.live(runId);
		if (run === undefined) return lookup.snapshot(runId);
		run.dispatch({ type: "cancel" });
		if (this.#parked.takeBack(run)) this.#endParked(run);
		else if (!isOver(run.state)) this.#runners.get(runId)?.cancel();
		const recorded = Promise.all([run.durable(), run.state.providerOutcome && this.#ends.get(runId)]).then(() => {
			const snapshot = run.snapshot();
			if (isOver(run.state) && !this.#runners.has(runId)) this.#forget(run);
			return snapshot;
		});
		return run.answered(recorded, "the run's outcome will be saved once there is space; the run was asked to stop");
	}

	/** Settles when no run of the thread is executing; rejects with ContractError DISK_FULL if the log cannot be written. */
	async settled(threadId: ThreadId): Promise<void> {
		// Awaited only before recovery, because each race adds a listener to a promise that settles only when the bridge stops.
		if (!this.#isRecovered) await Promise.race([this.#recovered.promise, this.#stopped.promise]);
		const ends = this.#deps.lookup.liveOf(threadId).map((run) => this.#ends.get(run.runId));
		await this.#deps.log.answered(Promise.all(ends), "the runs' outcomes will be saved once there is space; the runs were asked to stop");
	}

	/**
	 * Loads unfinished runs into the lookup and the queue, evaluates how the previous bridge ended, and interrupts runs that cannot continue,
	 * so that they are never reported as running. Starts nothing. `isRestored`: the store is a restored backup. Its unfinished runs may have
	 * continued after the backup was made, so none of them continues or starts.
	 */
	async load(before: EndBefore, isRestored = false): Promise<void> {
		const { runs, log, attempts, onError } = this.#deps;
		const unfinished = await runs.unfinishedRuns();
		const found: LiveRun[] = [];
		for (const stored of unfinished) {
			// Lets requests and events that are waiting go first.
			await setImmediate();
			if (this.#stopping) return;
			try {
				const run = await this.#restore(stored);
				if (run !== undefined && (isRestored || run.state.status === "running")) found.push(run);
			} catch (error) {
				// A log that cannot be read must not keep other runs from continuing.
				onError(error, stored.runId);
			}
		}
		this.#found = found;
		this.#suspicion = await attempts.inherit(new Set(unfinished.map(({ runId }) => runId)), before);
		// Ending these runs is cheap and safe, so all of them end before any run is continued, many in one commit.
		const lost = isRestored
			? found.map((run) => ({ run, code: "STORE_RESTORED" }) as const)
			: lostRuns(found, (run) => this.#providerOf(run), this.#suspicion);
		// In a restored backup, the end of each run withdraws its requests, with that as the reason.
		const withdrawn = withdrawRequests(isRestored ? [] : found);
		this.#interrupted = Promise.all([withdrawn, this.#interrupt(lost)]);
		await log.answered(this.#interrupted, "the outcomes of interrupted runs will be saved once there is space").catch((error: unknown) => {
			// The bridge answers requests even on a full disk: these ends are written when there is space.
			if (!isDiskFull(error)) throw error;
		});
	}

	/**
	 * Seals runs whose provider had ended, continues runs that were executing and were not interrupted, then starts queued ones
	 * (docs/protocol.md#restart-and-shutdown). Runs that may have crashed the previous bridge come first, one at a time.
	 */
	async recover(): Promise<void> {
		const { suspects } = this.#suspicion;
		await this.#interrupted;
		for (const run of this.#found.filter(({ runId }) => suspects.has(runId))) await this.#prove(run);
		for (const run of this.#found.filter(({ runId }) => !suspects.has(runId))) await this.#takeUp(run);
		this.#found = [];
		this.#isRecovered = true;
		this.#recovered.resolve();
		this.startWhatMay();
	}

	/** Shuts down (SIGTERM): runs get `stopMs` to end, after which their outcome is unknown. Queued runs stay queued. */
	async shutdown(): Promise<void> {
		this.#stopping = true;
		this.#stopped.resolve();
		this.#places[Symbol.dispose]();
		const { clock, log, attempts, waiting, limits } = this.#deps;
		waiting[Symbol.dispose]();
		for (const runner of this.#runners.values()) runner.shutdown(limits.stopMs);
		const bound = Promise.withResolvers<"late">();
		const stopped = clock.now() + limits.stopMs;
		// On a full disk nothing can be sealed, so a longer wait would be useless.
		using _full = clock.at(stopped, () => log.isFull && bound.resolve("late"));
		using _sealed = clock.at(stopped + SEAL_MS, () => bound.resolve("late"));
		await Promise.race([Promise.all(this.#ends.values()), bound.promise]);
		const written = await Promise.race([Promise.all([log.flushed(), attempts.flushed()]), bound.promise]);
		if (written === "late") this.#deps.onError(new Error("the bridge is stopping, and not all records of its runs have been saved"));
	}

	/** Continues a run. Does nothing if a cancel or the interruption has ended it. */
	async #takeUp(run: LiveRun): Promise<void> {
		// Lets requests that have arrived in the meantime be answered first.
		await setImmediate();
		if (this.#stopping || isOver(run.state)) return this.#deps.attempts.close(run.runId);
		const provider = this.#providerOf(run);
		const continuation = continuationOf(run, provider, this.#suspicion);
		if (continuation === "seal") return this.#drive(run, "seal");
		if (provider === undefined || continuation === undefined) return this.#interrupt([{ run, code: "BRIDGE_RESTARTED" }]);
		if (continuation === "start_again") return this.#drive(run, "start_again");
		const waiting = continuation === "program" ? await this.#parked.waitingOf(run) : 0;
		if (isOver(run.state)) return;
		const isAtOnce = continuation === "take_up" || this.#suspicion.suspects.has(run.runId);
		if (waiting === 0 && isAtOnce) return this.#drive(run, "take_up");
		this.#deps.attempts.close(run.runId);
		if (waiting > 0) this.#parked.park(run, waiting);
		else this.#parked.putOff(run.runId);
	}

	/** Ends a parked run that was cancelled. No part of it is running. */
	#endParked(run: LiveRun): void {
		run.dispatch({ type: "end_provider", outcome: { kind: "cancelled", remote: false } });
		this.#drive(run, "seal");
	}

	/** Retries a run that may have crashed the bridge. Settles when the bridge has survived it, or is told to stop. */
	async #prove(run: LiveRun): Promise<void> {
		if (this.#stopping || isOver(run.state)) return;
		const { attempts, clock, limits } = this.#deps;
		// Opened before anything of the run begins, so that there is an attempt to wait for.
		await attempts.open(run.runId);
		await this.#takeUp(run);
		const bound = Promise.withResolvers<void>();
		using _bound = clock.at(clock.now() + limits.provenMs, bound.resolve);
		await Promise.race([attempts.closed(run.runId), bound.promise, this.#stopped.promise]);
	}

	/** Loads an unfinished run into the lookup, and into the queue or a slot; undefined if the store has no record of it. */
	async #restore(stored: UnfinishedRun): Promise<LiveRun | undefined> {
		const { runs, lookup, log, clock, admission, waiting } = this.#deps;
		const record = await runs.findRun(stored.runId);
		if (record === undefined) return undefined;
		const run = new LiveRun(record, await lookup.restore(stored), log, clock);
		lookup.add(run);
		waiting.watch(run.runId);
		const { runId, threadId, provider } = record;
		if (run.state.status === "queued") admission.enqueue(runId, threadId, provider.target);
		else admission.resume(runId, threadId, provider.target);
		return run;
	}

	#providerOf({ record }: LiveRun): Provider | undefined {
		return this.#deps.providers.get(record.provider.providerId);
	}

	async #interrupt(lost: readonly LostRun[]): Promise<void> {
		await interruptRuns(lost, this.#deps);
		for (const { run } of lost) this.#forget(run);
	}

	/** Starts the next runs of the queue while there are free slots. Also called when the limits have changed. */
	startWhatMay(): void {
		if (this.#stopping) return;
		const { admission, lookup } = this.#deps;
		const next = () => (this.#isRecovered ? admission.next() : undefined);
		for (let runId = next(); runId !== undefined; runId = next()) {
			const run = lookup.live(runId);
			if (run === undefined || isOver(run.state)) admission.release(runId);
			else this.#drive(run, run.state.status === "running" ? "take_up" : "start");
		}
		this.#places.writeSoon();
	}

	/** Drives a run to its end, and then starts the next ones. */
	#drive(run: LiveRun, mode: DriveMode): void {
		this.#alone = this.#runners.size === 0 ? run.runId : undefined;
		const runner = this.#deps.newRunner(run, () => this.#alone === run.runId);
		this.#runners.set(run.runId, runner);
		const end = runner
			.drive(mode, this.#providerOf(run))
			.catch((error: unknown) => this.#deps.onError(error, run.runId))
			.finally(() => {
				this.#runners.delete(run.runId);
				this.#ends.delete(run.runId);
				if (runner.waiting !== undefined && !this.#stopping) this.#parked.park(run, runner.waiting);
				this.#forget(run);
			});
		this.#ends.set(run.runId, end);
	}

	/** Forgets a run that has ended. Any other run is kept: it is parked, or the next bridge continues it. */
	#forget(run: LiveRun): void {
		if (!isOver(run.state)) return;
		const { lookup, admission, workspace, onError } = this.#deps;
		lookup.remove(run.runId);
		admission.release(run.runId);
		if (run.record.input.attachments.length > 0) workspace.removeInputs(run.runId).catch((error: unknown) => onError(error, run.runId));
		this.startWhatMay();
	}
}

import type { InterruptedCode, RunId, Snapshot, ThreadId } from "@xworkmate/contracts";
import type { CoreParts } from "./core-parts.ts";
import { LiveRun } from "./live-run.ts";
import type { RunRecord } from "./run-record.ts";
import { isOver } from "./run-state.ts";
import { TurnRunner } from "./turn-runner.ts";

/** What runs that ended within `stopMs` may take to be sealed. */
const SEAL_MS = 5_000;
const RESTARTED: InterruptedCode = "BRIDGE_RESTARTED";

/** Owns every run that is not over: queue, start, cancel, recovery, shutdown. */
export class Coordinator {
	readonly #deps: CoreParts;
	readonly #runners = new Map<RunId, TurnRunner>();
	readonly #ends = new Map<RunId, Promise<void>>();
	/** Runs that shared any of their time with another one. */
	readonly #shared = new Set<RunId>();
	#stopping = false;

	constructor(deps: CoreParts) {
		this.#deps = deps;
	}

	/** Takes an accepted run into the queue and starts what may start. */
	enqueue(run: LiveRun): void {
		this.#deps.admission.enqueue(run.runId, run.record.threadId, run.record.provider.target);
		this.#startWhatMay();
	}

	/** Records the intent to stop and returns at once; only a terminal snapshot says that it stopped. */
	async cancel(runId: RunId): Promise<Snapshot> {
		const { book, desk } = this.#deps;
		const run = book.live(runId);
		if (run === undefined) return book.snapshot(runId);
		run.dispatch({ type: "cancel" });
		if (!isOver(run.state)) this.#runners.get(runId)?.cancel();
		await run.durable();
		desk.withdraw(run);
		const snapshot = run.snapshot();
		if (isOver(run.state) && !this.#runners.has(runId)) this.#forget(run);
		return snapshot;
	}

	/** Settles when no run of the thread is executing any more. */
	async settled(threadId: ThreadId): Promise<void> {
		const ends = this.#deps.book.liveOf(threadId).map((run) => this.#ends.get(run.runId));
		await Promise.all(ends);
	}

	/** CONTRACT "At start": queued runs queue again, ended ones are sealed, executing ones are taken up or interrupted. */
	async recover(): Promise<void> {
		for (const record of await this.#deps.store.unfinishedRuns()) await this.#takeUp(record);
		this.#startWhatMay();
	}

	/** SIGTERM: runs get `stopMs` to end, then their outcome is not known. Queued runs stay queued. */
	async shutdown(): Promise<void> {
		this.#stopping = true;
		const { stopMs } = this.#deps.limits;
		for (const runner of this.#runners.values()) runner.shutdown(stopMs);
		const bound = new Promise<void>((resolve) => setTimeout(resolve, stopMs + SEAL_MS).unref());
		await Promise.race([Promise.all(this.#ends.values()), bound]);
		await this.#deps.log.flushed();
	}

	async #takeUp(record: RunRecord): Promise<void> {
		const { book, log, clock, admission } = this.#deps;
		const run = new LiveRun(record, await book.fold(record.runId), log, clock);
		book.add(run);
		const provider = this.#deps.providers.get(record.provider.providerId);
		if (run.state.status === "queued") return admission.enqueue(record.runId, record.threadId, record.provider.target);
		if (run.state.providerOutcome !== undefined) {
			admission.resume(record.runId, record.threadId, record.provider.target);
			return this.#follow(run, (runner) => runner.resume(provider));
		}
		if (provider?.remote === undefined) return this.#interrupt(run);
		admission.resume(record.runId, record.threadId, record.provider.target);
		this.#follow(run, (runner) => runner.takeUp(provider));
	}

	async #interrupt(run: LiveRun): Promise<void> {
		const message = "The bridge was restarted while the run was executing; its outcome is not known.";
		run.dispatch({ type: "interrupt", code: RESTARTED, message });
		await run.durable();
		this.#forget(run);
	}

	#startWhatMay(): void {
		if (this.#stopping) return;
		const { admission, book } = this.#deps;
		for (let runId = admission.next(); runId !== undefined; runId = admission.next()) {
			const run = book.live(runId);
			if (run === undefined || isOver(run.state)) admission.release(runId);
			else this.#start(run);
		}
		for (const { runId, position, length } of admission.places()) {
			book.live(runId)?.dispatch({ type: "move_in_queue", position, length });
		}
	}

	#start(run: LiveRun): void {
		const provider = this.#deps.providers.get(run.record.provider.providerId);
		this.#follow(run, async (runner) => {
			if (provider !== undefined) return runner.execute(provider);
			run.dispatch({ type: "fail", message: `The provider ${run.record.provider.providerId} is no longer configured.` });
			await run.durable();
		});
	}

	/** Drives a run to its end and then makes room for the next. */
	#follow(run: LiveRun, drive: (runner: TurnRunner) => Promise<void>): void {
		for (const other of this.#runners.keys()) this.#shared.add(other).add(run.runId);
		const runner = new TurnRunner(run, this.#runnerDeps());
		this.#runners.set(run.runId, runner);
		const end = drive(runner)
			.catch((error: unknown) => this.#deps.onError(error, run.runId))
			.finally(() => {
				this.#runners.delete(run.runId);
				this.#ends.delete(run.runId);
				this.#shared.delete(run.runId);
				this.#forget(run);
			});
		this.#ends.set(run.runId, end);
	}

	#runnerDeps() {
		const { book, workspace, onError } = this.#deps;
		return {
			...this.#deps,
			earlierDeliverables: (run: LiveRun) => book.earlierDeliverables(run, workspace),
			wasAlone: (run: LiveRun) => !this.#shared.has(run.runId),
			onError: (run: LiveRun, error: unknown) => onError(error, run.runId),
		};
	}

	/** Drops a run that is over; one that is not stays, and the next start takes it up. */
	#forget(run: LiveRun): void {
		if (!isOver(run.state)) return;
		const { book, admission, workspace, onError } = this.#deps;
		book.remove(run.runId);
		admission.release(run.runId);
		if (run.record.input.attachments.length > 0) workspace.removeInputs(run.runId).catch((error: unknown) => onError(error, run.runId));
		this.#startWhatMay();
	}
}

import type { Artifact, RunId, Snapshot } from "@xworkmate/contracts";
import type { CommitLog } from "../../log/commit-log.ts";
import { LiveStream } from "../../log/live-stream.ts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { LoggedEvent, RunEvent } from "../../ports/runs/run-event.ts";
import type { RunRecord } from "../../ports/runs/run-record.ts";
import type { RunStep } from "../../ports/runs/run-step.ts";
import type { RunAppend } from "../../ports/runs/run-store.ts";
import type { RunCommand } from "../domain/decide.ts";
import { mergePieces } from "../domain/merge-pieces.ts";
import { runRules } from "../domain/run-rules.ts";
import { isOver, type RunState } from "../domain/run-state.ts";
import { toSnapshot, toSummary } from "../domain/run-view.ts";
import { PendingSteps } from "./pending-steps.ts";

/** The provider is paused while the updates that wait to be committed have more characters than this, as JSON. */
const HIGH_WATER_BYTES = 256 * 1024;

/** Commands whose events are not urgent for readers, so more of them are gathered for one commit. */
const waits: ReadonlySet<RunCommand["type"]> = new Set(["say", "show_progress", "move_in_queue", "accept_artifacts"]);

/** An unfinished run in memory. */
export class LiveRun extends LiveStream<RunId, RunState, RunCommand, RunEvent, RunAppend> {
	readonly record: RunRecord;
	readonly #clock: Clock;
	#pendingBytes = 0;
	#takenBytes = 0;
	#saidBytes = 0;
	#sealedText: string | undefined;
	/** Every accepted file, written with the terminal event. */
	#artifacts: readonly Artifact[] = [];
	readonly #steps = new PendingSteps();
	/** True if the store may have steps of the run, as for every run of an earlier bridge. */
	#mayHaveSteps: boolean;

	constructor(record: RunRecord, state: RunState, log: CommitLog<RunId, RunAppend>, clock: Clock) {
		super(record.runId, runRules, state, log, clock);
		this.record = record;
		this.#clock = clock;
		this.#mayHaveSteps = state.lastSeq > 0;
	}

	get runId(): RunId {
		return this.id;
	}

	/** The number of characters in the updates that this bridge has logged for the run, for the limit on its log. */
	get saidBytes(): number {
		return this.#saidBytes;
	}

	/** The terminal snapshot as it was written; undefined before that. */
	get sealedText(): string | undefined {
		return this.#sealedText;
	}

	/** The committed snapshot of the run. */
	snapshot(): Snapshot {
		return toSnapshot(this.record, this.committedState, this.#clock.now());
	}

	override dispatch(command: RunCommand): boolean {
		const before = this.size;
		const done = super.dispatch(command);
		if (command.type === "say") {
			const size = this.size - before;
			this.#pendingBytes += size;
			this.#saidBytes += size;
		}
		return done;
	}

	/** Adds steps of the run's program, which are written with the next event. */
	addSteps(steps: readonly RunStep[]): void {
		this.#mayHaveSteps = true;
		this.#steps.add(steps, timestamp(this.#clock.now()));
	}

	get hasUnwrittenSteps(): boolean {
		return this.#steps.pending.length > 0;
	}

	/** Sets how many steps the store has. Must be called before steps are added to a run of an earlier bridge. */
	continueSteps(stored: number): void {
		this.#steps.continueAfter(stored);
	}

	/** The files to be written with the terminal event. */
	accept(artifacts: readonly Artifact[]): void {
		this.#artifacts = artifacts;
	}

	/** Settles when enough of the log has been written. Waiting for this slows the provider down. */
	async writable(): Promise<void> {
		if (this.#pendingBytes > HIGH_WATER_BYTES) await this.durable();
	}

	override committed(append: RunAppend): void {
		this.#pendingBytes -= this.#takenBytes;
		this.#takenBytes = 0;
		this.#sealedText = append.sealed?.text;
		this.#steps.written(append.steps?.length ?? 0);
		super.committed(append);
	}

	protected override toAppend(events: readonly LoggedEvent[]): RunAppend {
		this.#takenBytes = this.#pendingBytes;
		const { runId, record, state } = this;
		const summary = toSummary(record, state);
		const steps = this.#steps.pending;
		if (!isOver(state)) return { runId, events, summary, ...(steps.length > 0 && { steps }) };
		const snapshot = toSnapshot(record, state, this.#clock.now());
		return {
			runId,
			events,
			summary,
			sealed: { snapshot, text: JSON.stringify(snapshot), artifacts: this.#artifacts, hasSteps: this.#mayHaveSteps },
		};
	}

	protected override canWait(command: RunCommand): boolean {
		return waits.has(command.type) || (command.type === "record" && command.later === true);
	}

	protected override merge(last: RunEvent, next: RunEvent): RunEvent | undefined {
		return mergePieces(last, next);
	}
}

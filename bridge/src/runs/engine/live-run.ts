import type { Artifact, RunId, Snapshot } from "@xworkmate/contracts";
import type { CommitLog, CommitSource } from "../../log/commit-log.ts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { LoggedEvent, RunEvent } from "../../ports/run-event.ts";
import type { RunRecord } from "../../ports/run-record.ts";
import type { RunAppend } from "../../ports/run-store.ts";
import { decide, type RunCommand } from "../domain/decide.ts";
import { apply, initialState, isOver, type RunState } from "../domain/run-state.ts";
import { toSnapshot, toSummary } from "../domain/run-view.ts";

/** Above this many bytes waiting for a commit, the provider waits too. */
const HIGH_WATER_BYTES = 256 * 1024;
/** Pieces of one message that wait for the same commit become one event up to this size. */
const MERGED_BYTES = 8 * 1024;

/** Progress only: readers do not need it at once. */
const waits: ReadonlySet<RunCommand["type"]> = new Set(["say", "show_progress", "move_in_queue", "accept_artifacts"]);

/**
 * A run that is not over, in memory: decides at once, commits in groups. What others see is the
 * committed state; `state` may be ahead of it by one commit.
 */
export class LiveRun implements CommitSource {
	readonly record: RunRecord;
	readonly #log: CommitLog;
	readonly #clock: Clock;
	#state: RunState;
	#committed: RunState;
	/** Decided and not known to be durable. The first `#taken` of them were handed out to be written and change no more. */
	#pending: LoggedEvent[] = [];
	#taken = 0;
	#pendingBytes = 0;
	#takenBytes = 0;
	#saidBytes = 0;
	/** Every accepted file, written with the terminal event. */
	#artifacts: readonly Artifact[] = [];
	#waiters: { readonly seq: number; readonly resolve: () => void }[] = [];

	constructor(record: RunRecord, state: RunState, log: CommitLog, clock: Clock) {
		this.record = record;
		this.#state = state;
		this.#committed = state;
		this.#log = log;
		this.#clock = clock;
	}

	get runId(): RunId {
		return this.record.runId;
	}

	get state(): RunState {
		return this.#state;
	}

	/** Bytes of everything the provider sent, for the limit on a run's log. */
	get saidBytes(): number {
		return this.#saidBytes;
	}

	/** The events that may be shown. */
	snapshot(): Snapshot {
		return toSnapshot(this.record, this.#committed, this.#clock.now());
	}

	/** The append that writes the intent: the first event alone. */
	first(): RunAppend {
		const [event] = decide(initialState, { type: "accept" }, this.#clock.now());
		if (event === undefined) throw new Error("a new run accepts its turn");
		this.#push(event);
		const append = this.take();
		if (append === undefined) throw new Error("the first event is pending");
		return append;
	}

	/** Decides and schedules the commit. True when the command did something. */
	dispatch(command: RunCommand): boolean {
		const events = decide(this.#state, command, this.#clock.now());
		for (const event of events) this.#push(event);
		if (events.length === 0) return false;
		if (waits.has(command.type)) this.#log.gather(this);
		else this.#log.schedule(this);
		return true;
	}

	/** The files to be written with the terminal event. */
	accept(artifacts: readonly Artifact[]): void {
		this.#artifacts = artifacts;
	}

	/** Settles when everything decided so far is durable. */
	durable(): Promise<void> {
		if (this.#pending.length > 0) this.#log.schedule(this);
		return this.#reached(this.#state.lastSeq);
	}

	/**
	 * Waits for `work` on behalf of a caller who has to be answered.
	 * @throws ContractError DISK_FULL, with `meanwhile`, while the log waits for space; the work continues
	 */
	answered<T>(work: Promise<T>, meanwhile: string): Promise<T> {
		return this.#log.answered(work, meanwhile);
	}

	/** Calls back after each commit. Returns the unsubscribe. */
	onCommitted(listener: (events: readonly LoggedEvent[]) => void): () => void {
		return this.#log.onCommitted(this.runId, listener);
	}

	/** Settles when the log has caught up enough to take more: the provider's back-pressure. */
	async writable(): Promise<void> {
		if (this.#pendingBytes > HIGH_WATER_BYTES) await this.durable();
	}

	take(): RunAppend | undefined {
		if (this.#pending.length === 0) return undefined;
		const events = [...this.#pending];
		this.#taken = events.length;
		this.#takenBytes = this.#pendingBytes;
		const summary = toSummary(this.record, this.#state);
		if (!isOver(this.#state)) return { runId: this.runId, events, summary };
		const snapshot = toSnapshot(this.record, this.#state, this.#clock.now());
		return { runId: this.runId, events, summary, sealed: { snapshot, artifacts: this.#artifacts } };
	}

	committed(append: RunAppend): void {
		for (const event of append.events) this.#committed = apply(this.#committed, event);
		this.#pending.splice(0, append.events.length);
		this.#pendingBytes -= this.#takenBytes;
		this.#taken = 0;
		this.#takenBytes = 0;
		const reached = this.#committed.lastSeq;
		const ready = this.#waiters.filter((waiter) => waiter.seq <= reached);
		this.#waiters = this.#waiters.filter((waiter) => waiter.seq > reached);
		for (const waiter of ready) waiter.resolve();
	}

	#reached(seq: number): Promise<void> {
		if (this.#committed.lastSeq >= seq) return Promise.resolve();
		return new Promise((resolve) => this.#waiters.push({ seq, resolve }));
	}

	#push(event: RunEvent): void {
		const size = event.type === "said" ? JSON.stringify(event.update).length : 0;
		this.#pendingBytes += size;
		this.#saidBytes += size;
		const at = timestamp(this.#clock.now());
		const merged = this.#merge(event);
		if (merged !== undefined) {
			this.#state = { ...apply(this.#state, { seq: merged.seq, at, event }), lastSeq: merged.seq };
			this.#pending[this.#pending.length - 1] = merged;
			return;
		}
		const seq = this.#state.lastSeq + 1;
		this.#state = apply(this.#state, { seq, at, event });
		this.#pending.push({ seq, at, status: this.#state.status, event });
	}

	/** The last pending event with this piece of the same message added. It was not committed, so no one has seen it. */
	#merge(event: RunEvent): LoggedEvent | undefined {
		const last = this.#pending.length > this.#taken ? this.#pending.at(-1) : undefined;
		if (event.type !== "said" || last?.event.type !== "said") return undefined;
		const piece = event.update;
		const before = last.event.update;
		if (piece.kind !== "message_delta" && piece.kind !== "thought_delta") return undefined;
		if (before.kind !== piece.kind || before.messageId !== piece.messageId) return undefined;
		if (before.text.length + piece.text.length > MERGED_BYTES) return undefined;
		return { ...last, event: { type: "said", update: { ...before, text: before.text + piece.text } } };
	}
}

import { type Clock, timestamp } from "../ports/clock.ts";
import type { PlacedEvent, StreamAppend, StreamEvent } from "../ports/event-log.ts";
import type { CommitSource } from "./commit-log.ts";

interface StreamState {
	readonly status: string;
	readonly lastSeq: number;
}

/** The rules of one kind of stream. Pure. */
export interface StreamRules<State extends StreamState, Command, Event> {
	readonly initial: State;
	/** The events that a command causes; empty if it has no effect. */
	decide(state: State, command: Command, now: number): readonly Event[];
	/** The state after one more event. */
	apply(state: State, placed: PlacedEvent<Event>): State;
}

/** The part of the log that a stream needs. */
interface StreamLog<Id, Append extends StreamAppend> {
	schedule(source: CommitSource<Id, Append>): void;
	gather(source: CommitSource<Id, Append>): void;
	answered<T>(work: Promise<T>, meanwhile: string): Promise<T>;
	onCommitted(id: Id, listener: (events: Append["events"]) => void): () => void;
}

type Entry<State extends StreamState, Event> = StreamEvent<Event, State["status"]>;

/**
 * An unfinished stream in memory. Commands are decided at once and committed in groups. Readers see the committed state; `state` is ahead
 * of it by the events that are not durable yet.
 */
export abstract class LiveStream<
	Id,
	State extends StreamState,
	Command,
	Event,
	Append extends { readonly events: readonly Entry<State, Event>[] },
> implements CommitSource<Id, Append>
{
	readonly id: Id;
	readonly #rules: StreamRules<State, Command, Event>;
	readonly #log: StreamLog<Id, Append>;
	readonly #clock: Clock;
	#state: State;
	#committed: State;
	/**
	 * Entries that are decided but not known to be durable. The first `#taken` of them are being written and must not change; `#written` is
	 * the state after them.
	 */
	#pending: Entry<State, Event>[] = [];
	#taken = 0;
	#written: State;
	#size = 0;
	#recent: Append["events"] = [];
	#waiters: { readonly seq: number; readonly resolve: () => void }[] = [];

	/** `state` is the result of applying all stored events. */
	constructor(id: Id, rules: StreamRules<State, Command, Event>, state: State, log: StreamLog<Id, Append>, clock: Clock) {
		this.id = id;
		this.#rules = rules;
		this.#state = state;
		this.#committed = state;
		this.#written = state;
		this.#log = log;
		this.#clock = clock;
	}

	/** What one commit appends: these events, and the views of `state`. */
	protected abstract toAppend(events: readonly Entry<State, Event>[]): Append;

	/** True for a command whose events readers do not need at once: its commit is delayed to gather more. */
	protected canWait(_command: Command): boolean {
		return false;
	}

	/** Merges the last event and the next into one, or returns undefined. Only for events that are not yet being written. */
	protected merge(_last: Event, _next: Event): Event | undefined {
		return undefined;
	}

	get state(): State {
		return this.#state;
	}

	/** The committed state, which may be shown. */
	get committedState(): State {
		return this.#committed;
	}

	/** The total length as JSON, in characters, of all events decided in this process. Events that were merged are counted individually. */
	protected get size(): number {
		return this.#size;
	}

	/** The events of the last commit, in the same array that was announced; empty if there was none yet. */
	get recent(): Append["events"] {
		return this.#recent;
	}

	/** Decides the first commands, and returns the append of their events, to be written together with the stream's intent. */
	first(...commands: readonly Command[]): Append {
		for (const command of commands) this.#decide(command);
		const append = this.take();
		if (append === undefined) throw new Error("the first commands of a stream must have an effect");
		return append;
	}

	/** Decides and schedules the commit. True if the command had an effect. */
	dispatch(command: Command): boolean {
		if (!this.#decide(command)) return false;
		if (this.canWait(command)) this.#log.gather(this);
		else this.#log.schedule(this);
		return true;
	}

	/** Settles when everything decided so far is durable. */
	durable(): Promise<void> {
		if (this.#pending.length > 0) this.#log.schedule(this);
		return this.#reached(this.#state.lastSeq);
	}

	/**
	 * Waits for `work` on behalf of a caller who must get an answer.
	 * @throws ContractError DISK_FULL, with `meanwhile`, while the log waits for space; the work continues
	 */
	answered<T>(work: Promise<T>, meanwhile: string): Promise<T> {
		return this.#log.answered(work, meanwhile);
	}

	/** Calls back after each commit. Returns a function that unsubscribes. */
	onCommitted(listener: (events: Append["events"]) => void): () => void {
		return this.#log.onCommitted(this.id, listener);
	}

	take(): Append | undefined {
		if (this.#pending.length === 0) return undefined;
		this.#taken = this.#pending.length;
		this.#written = this.#state;
		return this.toAppend(this.#pending.map(withText));
	}

	committed({ events }: Append): void {
		this.#recent = events;
		this.#committed = this.#written;
		this.#pending.splice(0, events.length);
		this.#taken = 0;
		if (this.#waiters.length === 0) return;
		const reached = this.#committed.lastSeq;
		const ready = this.#waiters.filter((waiter) => waiter.seq <= reached);
		this.#waiters = this.#waiters.filter((waiter) => waiter.seq > reached);
		for (const waiter of ready) waiter.resolve();
	}

	#reached(seq: number): Promise<void> {
		if (this.#committed.lastSeq >= seq) return Promise.resolve();
		return new Promise((resolve) => this.#waiters.push({ seq, resolve }));
	}

	#decide(command: Command): boolean {
		const events = this.#rules.decide(this.#state, command, this.#clock.now());
		for (const event of events) this.#push(event);
		return events.length > 0;
	}

	#push(event: Event): void {
		const at = timestamp(this.#clock.now());
		const text = JSON.stringify(event);
		this.#size += text.length;
		const last = this.#pending.length > this.#taken ? this.#pending.at(-1) : undefined;
		const merged = last && this.merge(last.event, event);
		const seq = last !== undefined && merged !== undefined ? last.seq : this.#state.lastSeq + 1;
		this.#state = this.#rules.apply(this.#state, { seq, at, event });
		if (last === undefined || merged === undefined) this.#pending.push({ seq, at, status: this.#state.status, event, text });
		else this.#pending[this.#pending.length - 1] = { ...last, event: merged, text: undefined };
	}
}

/** A merged event is serialized only once nothing more can be merged into it. */
function withText<Logged extends StreamEvent<unknown, string>>(logged: Logged): Logged {
	return logged.text === undefined ? { ...logged, text: JSON.stringify(logged.event) } : logged;
}

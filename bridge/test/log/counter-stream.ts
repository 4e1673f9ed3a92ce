import { LiveStream } from "../../src/log/live-stream.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { EventText, LogStore, PlacedEvent, StreamEvent } from "../../src/ports/event-log.ts";

type CounterStatus = "counting" | "full";
type CounterEvent = { readonly type: "added"; readonly amount: number } | { readonly type: "filled" };
type CounterCommand = { readonly type: "add"; readonly amount: number };

interface CounterState {
	readonly status: CounterStatus;
	readonly lastSeq: number;
	readonly total: number;
}

export type CounterEntry = StreamEvent<CounterEvent, CounterStatus>;

export interface CounterAppend {
	readonly counter: string;
	readonly events: readonly CounterEntry[];
	/** The view that is written with the events. */
	readonly total: number;
}

export const CAPACITY = 100;

/** The smallest stream that can end: amounts add up until the counter is full, and then it takes no more. */
export const counterRules = {
	initial: { status: "counting", lastSeq: 0, total: 0 } satisfies CounterState as CounterState,
	decide: (state: CounterState, { amount }: CounterCommand): readonly CounterEvent[] => {
		if (state.status === "full") return [];
		const added = { type: "added", amount } as const;
		return state.total + amount < CAPACITY ? [added] : [added, { type: "filled" }];
	},
	apply: (state: CounterState, { seq, event }: PlacedEvent<CounterEvent>): CounterState =>
		event.type === "added" ? { ...state, total: state.total + event.amount, lastSeq: seq } : { ...state, status: "full", lastSeq: seq },
};

type CounterLog = ConstructorParameters<typeof LiveStream<string, CounterState, CounterCommand, CounterEvent, CounterAppend>>[3];

export class LiveCounter extends LiveStream<string, CounterState, CounterCommand, CounterEvent, CounterAppend> {
	constructor(name: string, log: CounterLog, clock: Clock, state = counterRules.initial) {
		super(name, counterRules, state, log, clock);
	}

	protected override toAppend(events: readonly CounterEntry[]): CounterAppend {
		return { counter: this.id, events, total: this.state.total };
	}
}

/** Writes, or fails in the order given, and then writes everything. As a real store, it refuses a gap. */
export class CounterStore implements LogStore<string, CounterAppend> {
	readonly counters = new Map<string, { events: CounterEntry[]; total: number }>();
	readonly #failures: ("full" | "broken")[];

	constructor(failures: readonly ("full" | "broken")[] = []) {
		this.#failures = [...failures];
	}

	async append(batch: readonly CounterAppend[]): Promise<void> {
		const failure = this.#failures.shift();
		if (failure === "full") throw Object.assign(new Error("no space"), { code: "STORE_FULL" });
		if (failure === "broken") throw new Error("the disk failed");
		for (const { counter, events, total } of batch) {
			const stored = [...(this.counters.get(counter)?.events ?? []), ...events];
			if (stored.some(({ seq }, index) => seq !== index + 1)) throw new Error(`a gap in ${counter}`);
			this.counters.set(counter, { events: stored, total });
		}
	}

	async readEvents(counter: string, afterSeq: number, limit: number): Promise<readonly CounterEntry[]> {
		return (this.counters.get(counter)?.events ?? []).slice(afterSeq, afterSeq + limit);
	}

	async readTexts(counter: string, afterSeq: number): Promise<readonly EventText<CounterStatus>[]> {
		const events = this.counters.get(counter)?.events.slice(afterSeq) ?? [];
		return events.map(({ seq, at, status, event }) => ({ seq, at, status, text: JSON.stringify(event) }));
	}
}

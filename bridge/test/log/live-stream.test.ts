import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CommitLog } from "../../src/log/commit-log.ts";
import { foldStream, readStream } from "../../src/log/read-stream.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { CAPACITY, type CounterEntry, CounterStore, counterRules, LiveCounter } from "./counter-stream.ts";

const options = { retryForMs: 60_000, answerMs: 10, retryEveryMs: 0, onFatal() {}, onRetry() {}, onFull() {}, onSpace() {} };

describe("a stream of any kind", () => {
	it("is decided at once and shown once it is durable", async () => {
		const store = new CounterStore();
		const log = new CommitLog(store, options);
		const counter = new LiveCounter("c", log, systemClock);
		const shown: CounterEntry[] = [];
		counter.onCommitted((events) => shown.push(...events));
		expect(counter.dispatch({ type: "add", amount: 2 })).toBe(true);
		expect(counter.state.total).toBe(2);
		expect(counter.committedState.total).toBe(0);
		expect(shown).toEqual([]);
		await counter.durable();
		expect(counter.committedState.total).toBe(2);
		expect(shown).toEqual(store.counters.get("c")?.events);
	});

	it("takes no command once its rules say that it is over", async () => {
		const store = new CounterStore();
		const counter = new LiveCounter("c", new CommitLog(store, options), systemClock);
		counter.dispatch({ type: "add", amount: CAPACITY });
		expect(counter.dispatch({ type: "add", amount: 1 })).toBe(false);
		await counter.durable();
		expect(store.counters.get("c")?.events.map(({ seq, status }) => [seq, status])).toEqual([
			[1, "counting"],
			[2, "full"],
		]);
	});

	it("goes on where the stored stream ends, after a restart", async () => {
		const store = new CounterStore();
		const before = new LiveCounter("c", new CommitLog(store, options), systemClock);
		for (let amount = 1; amount <= 3; amount++) before.dispatch({ type: "add", amount });
		await before.durable();
		const state = await foldStream(store, "c", counterRules);
		expect(state).toEqual(before.state);
		const after = new LiveCounter("c", new CommitLog(store, options), systemClock, state);
		after.dispatch({ type: "add", amount: 4 });
		await after.durable();
		expect(store.counters.get("c")).toMatchObject({ total: 10, events: [{ seq: 1 }, { seq: 2 }, { seq: 3 }, { seq: 4 }] });
	});

	it("is read in pages, none twice and none left out", async () => {
		const events = Array.from(
			{ length: 1_203 },
			(_, index): CounterEntry => ({
				seq: index + 1,
				at: "2026-01-01T00:00:00.000Z",
				status: "counting",
				event: { type: "added", amount: 0 },
			}),
		);
		const store = new CounterStore();
		await store.append([{ counter: "c", events, total: 0 }]);
		const read: CounterEntry[] = [];
		for await (const page of readStream(store, "c")) read.push(...page);
		expect(read).toEqual(events);
	});

	it("has no gap, nothing twice and nothing shown that is not stored, whatever the store refuses meanwhile", async () => {
		const failures = fc.array(fc.constantFrom("full" as const, "broken" as const), { maxLength: 6 });
		const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 30 }), fc.boolean()), { maxLength: 30 });
		await fc.assert(
			fc.asyncProperty(failures, steps, async (refusals, adds) => {
				const store = new CounterStore(refusals);
				const log = new CommitLog(store, options);
				const counters = new Map(["a", "b", "c"].map((name) => [name, new LiveCounter(name, log, systemClock)]));
				const shown = new Map<string, CounterEntry[]>();
				log.onCommittedAny((name, events) => {
					expect(store.counters.get(name)?.events).toEqual(expect.arrayContaining([...events]));
					shown.set(name, [...(shown.get(name) ?? []), ...events]);
				});
				for (const [name, amount, pauses] of adds) {
					counters.get(name)?.dispatch({ type: "add", amount });
					if (pauses) await new Promise((resolve) => setImmediate(resolve));
				}
				await log.flushed();
				for (const [name, counter] of counters) {
					const stored = store.counters.get(name)?.events ?? [];
					expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: counter.state.lastSeq }, (_, index) => index + 1));
					expect(shown.get(name) ?? []).toEqual(stored);
					expect(await foldStream(store, name, counterRules)).toEqual(counter.state);
				}
			}),
			{ numRuns: 60 },
		);
	});
});

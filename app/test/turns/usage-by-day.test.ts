import { join } from "node:path";
import { Timestamp, type Usage } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import type { UsedRun } from "../../src/threads/domain/used-run.ts";
import { usageByDay, usageSince } from "../../src/turns/usage-by-day.ts";
import { StoredThreads } from "../support/stored-threads.ts";
import { handle, threadId, turnIdOf } from "../support/thread-story.ts";
import { updateOf } from "../support/update-of.ts";

const local = (date: number, hour = 12) => Timestamp.parse(new Date(2026, 0, date, hour).toISOString());
const run = (date: number, usage: Usage, more: Partial<UsedRun> = {}): UsedRun => ({ endedAt: local(date), usage, ...more });

describe("the usage of a day", () => {
	it("sums what was reported and counts apart the runs that reported nothing", () => {
		const days = usageByDay([
			run(1, { inputTokens: 100, outputTokens: 20 }),
			run(2, { inputTokens: 1, costUsd: 0.5 }),
			run(2, { contextUsed: 900, contextSize: 1_000 }),
			run(2, {}),
			run(2, { costUsd: 0 }),
			run(2, {}, { providerId: "script" }),
		]);
		expect(days).toEqual([
			{
				day: "2026-01-02",
				runs: 4,
				tokenRuns: 1,
				inputTokens: 1,
				outputTokens: 0,
				costRuns: 2,
				costUsd: 0.5,
				otherCurrencies: [],
				silentRuns: 2,
			},
			{
				day: "2026-01-01",
				runs: 1,
				tokenRuns: 1,
				inputTokens: 100,
				outputTokens: 20,
				costRuns: 0,
				costUsd: 0,
				otherCurrencies: [],
				silentRuns: 0,
			},
		]);
	});

	it("names the currencies of costs that are not summed, and does not count their runs as silent", () => {
		const other = (currency: string) => run(1, { otherCost: { amount: 7, currency } });
		const [day] = usageByDay([other("JPY"), other("EUR"), other("EUR"), run(1, {})]);
		expect(day).toMatchObject({ runs: 4, costRuns: 0, otherCurrencies: ["EUR", "JPY"], silentRuns: 1 });
	});

	it("counts what a conversation has cost once, although its agent reports the total each time", () => {
		const [day] = usageByDay([
			run(1, { costUsd: 0.5 }),
			run(1, { costUsd: 0.75 }, { costBefore: 0.5 }),
			// Less than before: another conversation of the same thread.
			run(1, { costUsd: 0.25 }, { costBefore: 0.75 }),
		]);
		expect(day?.costUsd).toBe(1);
	});

	it("is that of this computer's calendar", () => {
		const ends = [Timestamp.parse(new Date(2026, 0, 1, 23, 59, 59).toISOString()), Timestamp.parse(new Date(2026, 0, 2).toISOString())];
		expect(usageByDay(ends.map((endedAt) => ({ endedAt, usage: {} }))).map(({ day }) => day)).toEqual(["2026-01-02", "2026-01-01"]);
		expect(usageSince(new Date(2026, 0, 30, 18))).toBe(new Date(2026, 0, 1).toISOString());
	});
});

describe("the recorded usage", () => {
	const LATER = Timestamp.parse("2126-01-01T00:00:00.000Z");

	/** A run with these usage updates, and its end. */
	function play(threads: StoredThreads, turn: string, ...reported: readonly Usage[]): void {
		threads.begin(turn);
		finish(threads, turn, reported);
	}

	/** As `play`, for a run that started a new conversation. */
	function playFresh(threads: StoredThreads, turn: string, ...reported: readonly Usage[]): void {
		threads.begin(turn, "do it", [], { fresh: true });
		finish(threads, turn, reported);
	}

	function finish(threads: StoredThreads, turn: string, reported: readonly Usage[], at?: Timestamp): void {
		threads.tell([handle(turn)]);
		const items = reported.map((usage, index) => updateOf(index + 1, { kind: "usage", ...usage }));
		const said = updateOf(reported.length + 1, { kind: "message_delta", messageId: "m", text: '"kind":"usage","costUsd":99' });
		threads.tell([], { updates: { turnId: turnIdOf(turn), after: 0, items: [...items, said] } });
		threads.end(turn, "completed", at);
	}

	it("counts the whole cost of a run that started a new conversation, and from there on only the increase", async () => {
		using threads = new StoredThreads();
		play(threads, "turn1", { costUsd: 0.5 });
		playFresh(threads, "turn2", { costUsd: 0.75 });
		play(threads, "turn3", { costUsd: 1 });
		playFresh(threads, "turn4");
		threads.begin("turn5");
		finish(threads, "turn5", [{ costUsd: 2 }], LATER);
		const before = (await threads.store.reported.runsOf(threadId)).map(({ costBefore }) => costBefore);
		expect(before).toEqual([undefined, undefined, 0.75, undefined, undefined]);
		const [later] = await threads.store.reported.runsSince(LATER);
		expect(later?.usage).toEqual({ costUsd: 2 });
		expect(later?.costBefore).toBeUndefined();
	});

	it("is the last figure of each kind, before and after the updates are packed, with what the conversation had cost before", async () => {
		using threads = new StoredThreads();
		play(threads, "turn1", { contextUsed: 10, costUsd: 0.25 }, { costUsd: 0.5 }, { inputTokens: 7, outputTokens: 3 });
		play(threads, "turn2");
		play(threads, "turn3", { costUsd: 0.75 });
		const all = await threads.store.reported.runsSince("2000-01-01T00:00:00.000Z");
		expect(all.map(({ usage, costBefore }) => ({ usage, costBefore }))).toEqual([
			{ usage: { contextUsed: 10, costUsd: 0.5, inputTokens: 7, outputTokens: 3 }, costBefore: undefined },
			{ usage: {}, costBefore: 0.5 },
			{ usage: { costUsd: 0.75 }, costBefore: 0.5 },
		]);
		expect(await threads.store.reported.runsOf(threadId)).toEqual(all);
		expect(await threads.store.reported.runsOf("draft:another")).toEqual([]);
		while (threads.store.upkeep.step());
		const again = new SqliteThreadStore(join(threads.home, "app.sqlite"));
		try {
			expect(await again.reported.runsSince("2000-01-01T00:00:00.000Z")).toEqual(all);
		} finally {
			again.close();
		}
	});
});

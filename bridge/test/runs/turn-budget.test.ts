import { getEventListeners } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FakeClock } from "../ports/fake-clock.ts";
import { Core, ended, type Play, say } from "./core-fixture.ts";
import { everyEvent, speak } from "./plays.ts";

afterEach(() => {
	vi.restoreAllMocks();
	vi.useRealTimers();
});

/** As every provider of the bridge: its runtime has the turn only once that is in the log. */
const answer: Play = async (_turn, sink) => {
	await sink.handOver();
	await say(sink, "hello");
	return ended;
};

/** A core in which one turn has ended, as in a thread that goes on. */
async function openCore(play: Play = answer, clock?: FakeClock): Promise<Core> {
	const core = await Core.open(play, {}, undefined, undefined, clock);
	core.handsOver = play === answer;
	await core.restart();
	await core.settled(await core.submit("t0"));
	return core;
}

/** How many rows the log of changes has had. */
async function changeRows(core: Core): Promise<number> {
	const { cursor } = await core.service.changes.read(undefined, 1_000);
	return Number(cursor.split("-")[1]);
}

describe("a turn of one update that only answers", () => {
	it("takes three commits and six events: its intent with its start, the hand-over, and the ends of provider and run", async () => {
		await using core = await openCore();
		const before = core.commits;
		const runId = await core.submit("t1");
		await core.settled(runId);
		expect(core.commits - before).toBe(3);
		const events = await everyEvent(core, runId);
		expect(events.map(({ event }) => event.type)).toEqual(["accepted", "started", "progress", "said", "provider_ended", "ended"]);
	});

	it("takes two commits when its provider's first word is what says that it has the turn", async () => {
		await using core = await openCore(speak);
		const before = core.commits;
		await core.settled(await core.submit("t1"));
		expect(core.commits - before).toBe(2);
	});

	it("adds one row to the log of changes for its intent with its start, and one for its end", async () => {
		await using core = await openCore();
		const before = await changeRows(core);
		await core.settled(await core.submit("t1"));
		expect(await changeRows(core)).toBe(before + 2);
	});

	it("executes at most 24 SQL statements", async () => {
		await using core = await openCore();
		const statements = vi.fn();
		const over = Promise.withResolvers<void>();
		core.service.log.onCommittedAny((_runId, events) => {
			if (events.at(-1)?.event.type === "ended") over.resolve();
		});
		using counted = countStatements(statements);
		await core.submit("t1");
		await over.promise;
		await core.coordinator.settled("thread" as never);
		counted[Symbol.dispose]();
		expect(statements.mock.calls.length).toBeLessThanOrEqual(24);
	});
});

describe("a turn leaves behind", () => {
	const delivers: Play = async ({ artifactDirectory }, sink) => {
		await writeFile(join(artifactDirectory, "report.md"), "# hello");
		await say(sink, "done");
		return ended;
	};

	it.each([
		{ what: "only answers", play: speak },
		{ what: "delivers a file", play: delivers },
	])("no timer and no listener when it $what", async ({ play }) => {
		const clock = new FakeClock();
		const signals: AbortSignal[] = [];
		await using core = await openCore(async (turn, sink, stop) => {
			signals.push(stop);
			return play(turn, sink, stop);
		}, clock);
		const followed = vi.spyOn(core.runs.log, "onCommitted");
		const waits = vi.spyOn(AbortSignal, "timeout");
		const combined = vi.spyOn(AbortSignal, "any");
		const before = clock.pending;
		const runId = await core.submit("t1");
		await core.coordinator.settled((await core.service.snapshot(runId)).threadId);
		expect((await core.service.snapshot(runId)).status).toBe("completed");
		expect(clock.pending).toBe(before);
		expect(signals.flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([]);
		expect([followed, waits, combined].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
	});
});

it("updates that come in a burst share a commit", async () => {
	const UPDATES = 100;
	await using core = await openCore(async (_turn, sink) => {
		for (let index = 0; index < UPDATES; index++) {
			await sink.emit({ kind: index % 2 === 0 ? "message_delta" : "thought_delta", messageId: `m${index}`, text: "some words" });
			await setImmediate();
		}
		return ended;
	});
	// The log's clock stands still, so that a slow machine does not make the burst longer than it is.
	vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
	const before = core.commits;
	const runId = await core.submit("t1");
	await core.settled(runId);
	const said = (await everyEvent(core, runId)).filter(({ event }) => event.type === "said");
	expect(said).toHaveLength(UPDATES);
	expect(core.commits - before).toBeLessThanOrEqual(2 + UPDATES * 0.1);
});

/** Calls `note` with the text of each statement that is executed, transactions and pragmas included, until disposed of. */
function countStatements(note: (source: string) => void): Disposable {
	using probe = openProbe();
	const prototype: Record<"run" | "get" | "all", (this: Database.Statement, ...values: unknown[]) => unknown> = Object.getPrototypeOf(
		probe.db.prepare("SELECT 1"),
	);
	const spies = (["run", "get", "all"] as const).map((name) => {
		const real = prototype[name];
		return vi.spyOn(prototype, name).mockImplementation(function (this: Database.Statement, ...values) {
			note(this.source);
			return real.apply(this, values);
		});
	});
	return {
		[Symbol.dispose]: () => {
			for (const spy of spies) spy.mockRestore();
		},
	};
}

function openProbe() {
	const db = new Database(":memory:");
	return { db, [Symbol.dispose]: () => void db.close() };
}

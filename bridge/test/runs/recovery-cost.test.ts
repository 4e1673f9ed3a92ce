import { expect, it, vi } from "vitest";
import { Core } from "./core-fixture.ts";
import { everyEvent, hang, starting } from "./plays.ts";

const RUNS = 40;
const wide = { maxActiveRuns: RUNS, stopMs: 1_000 };
const names = Array.from({ length: RUNS }, (_, index) => `t${index}`);
const inThread = (name: string) => ({ threadId: name, sessionId: name, prompt: `the prompt of ${name}.` });

/** How many stored texts that match are parsed meanwhile. */
async function countParsed(pattern: RegExp, work: () => Promise<unknown>): Promise<number> {
	const parse = vi.spyOn(JSON, "parse");
	try {
		await work();
		return parse.mock.calls.filter(([body]) => pattern.test(body)).length;
	} finally {
		parse.mockRestore();
	}
}

it("interrupts all runs that a crash cut in one commit", async () => {
	await using core = await Core.open(hang, wide);
	const runs = await Promise.all(names.map((name) => core.submit(name, inThread(name))));
	await Promise.all(runs.map((runId) => core.until(runId, starting)));
	await core.die();
	await core.load();
	expect(core.runs.log.commits).toBe(1);
	for (const runId of runs) expect(await core.service.snapshot(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED" });
});

it("reads each intent once, and of the log of a waiting run its last event alone", async () => {
	await using core = await Core.open(hang, { ...wide, maxActiveRuns: 1 });
	await core.until(await core.submit("first", inThread("first")), starting);
	const waiting = await Promise.all(names.map((name) => core.submit(name, inThread(name))));
	await core.runs.log.flushed();
	const before = await Promise.all(waiting.map((runId) => core.service.snapshot(runId)));
	await core.coordinator.shutdown();
	await core.die();
	expect(await countParsed(/the prompt of t/, () => core.load("ended"))).toBe(RUNS);
	await core.die();
	expect(await countParsed(/"accepted"|"queue_moved"/, () => core.load("ended"))).toBe(RUNS);
	const after = await Promise.all(waiting.map((runId) => core.service.snapshot(runId)));
	const timeless = ({ serverTime: _now, ...rest }: (typeof after)[number]) => rest;
	expect(after.map(timeless)).toEqual(before.map(timeless));
});

it("does not say a place again that the log has said before the restart", async () => {
	await using core = await Core.open(hang, { ...wide, maxActiveRuns: 1 });
	await core.until(await core.submit("first", inThread("first")), starting);
	const waiting = await core.submit("second", inThread("second"));
	await core.until(waiting, ({ event }) => event.type === "queue_moved");
	const before = await everyEvent(core, waiting);
	await core.die();
	await core.load();
	expect(core.runs.admission.placeOf(waiting)).toEqual({ position: 1, length: 1 });
	expect(await everyEvent(core, waiting)).toEqual(before);
});

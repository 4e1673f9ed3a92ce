import { expect, it } from "vitest";
import { FakeClock } from "../ports/fake-clock.ts";
import { Core, ended, type Play, say } from "./core-fixture.ts";
import { everyEvent, starting } from "./plays.ts";

const QUEUED = 30;
const inThread = (name: string) => ({ threadId: name, sessionId: name });

it("says the place of a waiting run as it is now, whatever the log has said, and writes it at most once a second", async () => {
	const clock = new FakeClock();
	const mayEnd = new Map<string, PromiseWithResolvers<void>>();
	const endOf = (runId: string) => {
		const end = mayEnd.get(runId) ?? Promise.withResolvers<void>();
		mayEnd.set(runId, end);
		return end;
	};
	const play: Play = async ({ runId }, sink) => {
		await endOf(runId).promise;
		await say(sink, "done");
		return ended;
	};
	await using core = await Core.open(play, { maxActiveRuns: 1 }, undefined, undefined, clock);
	const active = await core.submit("active", inThread("active"));
	await core.until(active, starting);
	const queued = await Promise.all(Array.from({ length: QUEUED }, (_, index) => core.submit(`t${index}`, inThread(`t${index}`))));
	const last = queued.at(-1) ?? active;
	const places = async () => {
		const events = await everyEvent(core, last);
		return events.flatMap(({ event }) => (event.type === "queue_moved" ? [event.position] : []));
	};
	const shown = async () => (await core.service.snapshot(last)).progress;
	const line = [active, ...queued];
	const finish = async (count: number) => {
		for (const runId of line.splice(0, count)) endOf(runId).resolve();
		await core.until(line[0] ?? active, starting);
	};
	await core.until(last, ({ event }) => event.type === "queue_moved");
	expect(await places()).toEqual([QUEUED]);
	expect(await shown()).toEqual({ stage: "queued", queuePosition: QUEUED, queueLength: QUEUED });
	await finish(12);
	expect(await shown()).toEqual({ stage: "queued", queuePosition: 18, queueLength: 18 });
	expect(await places()).toEqual([QUEUED]);
	clock.advance(1_000);
	await core.runs.log.flushed();
	expect(await places()).toEqual([QUEUED, 18]);
	await finish(3);
	clock.advance(1_000);
	await core.runs.log.flushed();
	expect(await shown()).toEqual({ stage: "queued", queuePosition: 15, queueLength: 15 });
	expect(await places()).toEqual([QUEUED, 18]);
	await finish(line.length);
});

import { expect, it } from "vitest";
import { FakeClock } from "../ports/fake-clock.ts";
import { Core, ended, type Play, say } from "./core-fixture.ts";
import { everyEvent, starting } from "./plays.ts";

const QUEUED = 30;
const inThread = (name: string) => ({ threadId: name, sessionId: name });

it("says the place of a waiting run as it is now, whatever the log has said, and writes it at most once a second", async () => {
	const clock = new FakeClock();
	const ends: (() => void)[] = [];
	const play: Play = async (_turn, sink) => {
		await new Promise<void>((resolve) => ends.push(resolve));
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
	const finish = async (count: number) => {
		for (let index = 0; index < count; index++) {
			const running = (await core.service.list({ limit: 1, status: "running" })).items[0]?.runId ?? active;
			await core.until(running, starting);
			await expect.poll(() => ends.length).toBeGreaterThan(0);
			ends.shift()?.();
			await core.settled(running);
			await core.until(queued[queued.indexOf(running) + 1] ?? active, starting);
		}
	};
	await expect.poll(places).toEqual([QUEUED]);
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
	for (const end of ends) end();
});

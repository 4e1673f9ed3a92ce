import { isTerminal } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { LoggedEvent } from "../../src/ports/runs/run-event.ts";
import { Core, ended, type Play, say } from "./core-fixture.ts";
import { everyEvent } from "./plays.ts";

/** Takes the turn, answers and ends it. */
const answer: Play = async (_turn, sink) => {
	await sink.handOver();
	await say(sink, "done");
	return ended;
};

async function openCore(play: Play = answer): Promise<Core> {
	const core = await Core.open(play);
	core.handsOver = true;
	await core.restart();
	return core;
}

const types = (events: readonly LoggedEvent[]) => events.map(({ event }) => event.type);

describe("a run that starts at once", () => {
	it("is started again after a crash right after its intent, since nothing of it had reached its runtime", async () => {
		await using core = await openCore();
		const crashed = Promise.withResolvers<void>();
		core.service.log.onCommittedAny((_runId, events) => {
			if (types(events).includes("accepted")) void core.die().then(crashed.resolve);
		});
		const runId = await core.submit("t1");
		await crashed.promise;
		await core.start();
		expect(types(await everyEvent(core, runId)).slice(0, 2)).toEqual(["accepted", "started"]);
		expect(await core.settled(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		expect(await core.attempts.list()).toEqual([]);
	});

	it("gives its place back when its intent cannot be written, and nothing is held against it", async () => {
		await using core = await openCore();
		const held = core.runs.admission.activeCount;
		core.insertFails = new Error("the disk failed");
		await expect(core.submit("t1")).rejects.toThrow("the disk failed");
		expect(core.runs.admission.activeCount).toBe(held);
		core.insertFails = undefined;
		expect(await core.settled(await core.submit("t1"))).toMatchObject({ status: "completed" });
		expect(await core.attempts.list()).toEqual([]);
	});
});

describe("a run that only answered", () => {
	it("is interrupted after a crash between its provider's end and its own: nothing durable says that it ended", async () => {
		await using core = await openCore();
		const died = Promise.withResolvers<void>();
		core.play = async (turn, sink, stop) => {
			const outcome = await answer(turn, sink, stop);
			await core.die();
			died.resolve();
			return outcome;
		};
		const runId = await core.submit("t1");
		await died.promise;
		core.play = answer;
		await core.start();
		expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED" });
	});

	it("has ended for ever once readers have heard of its end", async () => {
		await using core = await openCore();
		const runId = await core.submit("t1");
		await core.until(runId, ({ status }) => isTerminal(status));
		const { serverTime: _at, ...before } = await core.service.snapshot(runId);
		await core.crash();
		expect(await core.service.snapshot(runId)).toMatchObject(before);
	});
});

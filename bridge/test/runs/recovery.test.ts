import { Snapshot } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { Core, ended, type Play, say } from "./core-fixture.ts";

const isSaid = ({ event }: { readonly event: { readonly type: string } }) => event.type === "said";

const hang: Play = async (_turn, sink) => {
	await say(sink, "at work");
	return new Promise(() => undefined);
};

it("names a turn that was executing at a crash, although it could be executed again", async () => {
	await using core = await Core.open(hang, { stopMs: 1_000 });
	const runId = await core.submit("t1");
	await core.until(runId, isSaid);
	let again = 0;
	core.play = async (_turn, sink) => {
		again++;
		await say(sink, "a second time");
		return ended;
	};
	await core.crash();
	expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED", output: { text: "at work" } });
	expect(again).toBe(0);
	expect((await core.settled(runId)).message).toMatch(/\nNo files were collected\.$/);
	expect((await core.settled(await core.submit("t2"))).output?.text).toBe("a second time");
});

it("has an accepted turn after a crash that follows at once, under the same run", async () => {
	await using core = await Core.open(hang, { stopMs: 1_000 });
	const runId = await core.submit("t1");
	core.play = async (_turn, sink) => {
		await say(sink, "after the crash");
		return ended;
	};
	await core.crash();
	expect(await core.service.snapshot(runId)).toMatchObject({ runId, turnId: "t1" });
	expect(["completed", "interrupted"]).toContain((await core.settled(runId)).status);
	expect(await core.submit("t1")).toBe(runId);
});

it("says of a turn that the crash cut, from the first question on, that it was cut, and never that it runs", async () => {
	await using core = await Core.open(hang, { stopMs: 1_000 });
	const runId = await core.submit("t1");
	await core.until(runId, isSaid);
	await core.die();
	await core.load();
	expect(await core.service.snapshot(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED" });
	await core.coordinator.recover();
});

it("names the agent of a queued run that is no longer set up", async () => {
	await using core = await Core.open(hang, { stopMs: 1_000 });
	await core.until(await core.submit("t1"), isSaid);
	const queued = await core.submit("t2");
	core.isPlayedSetUp = false;
	await core.crash();
	// As an app reads it.
	expect(Snapshot.parse(await core.settled(queued))).toMatchObject({
		status: "failed",
		code: "PROVIDER_NOT_FOUND",
		message: expect.stringContaining("played, which is no longer set up"),
	});
});

it("ends what was running and what was queued in a backup that was restored, and starts none of it", async () => {
	await using core = await Core.open(hang, { stopMs: 1_000 });
	const running = await core.submit("t1");
	await core.until(running, isSaid);
	const queued = await core.submit("t2");
	let again = 0;
	core.play = async (_turn, sink) => {
		again++;
		await say(sink, "later");
		return ended;
	};
	await core.die();
	await core.load("ended", true);
	await core.coordinator.recover();
	for (const runId of [running, queued])
		expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "STORE_RESTORED", success: false });
	expect(again).toBe(0);
	expect(await core.settled(await core.submit("t3"))).toMatchObject({ status: "completed" });
});

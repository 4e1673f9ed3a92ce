import { describe, expect, it, vi } from "vitest";
import { CountingHosts, done } from "./counting-hosts.ts";
import { ProgramScene } from "./program-scene.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const world = () => new CountingHosts({ look: { risk: "read" }, make: { risk: "write" }, destroy: { risk: "destructive" } });

describe("a program's typed calls", () => {
	it("[T1-10] [T1-11] [T1-94] a read that is allowed runs by itself and leaves its trail", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		scene.hosts.handle = async ({ input }) => done({ saw: input });
		const runId = await scene.run("return await tools.world.look({ at: 1 })");
		const { status, output } = await scene.core.settled(runId);
		expect(status).toBe("completed");
		expect(JSON.parse(output?.text ?? "")).toEqual({ ok: true, value: { saw: { at: 1 } } });
		expect(await scene.trail(runId)).toEqual(["requested", "started", "succeeded"]);
		const [first] = await scene.receipts(runId);
		expect(first).toMatchObject({ toolId: "world.thing.look", origin: "executed", risk: "read", words: "look the thing" });
	});

	it("[T1-93] a destructive call waits for a person, and runs once it is allowed", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run("return await tools.world.destroy({ id: 7 })");
		await scene.asked(runId);
		expect(scene.hosts.calls).toEqual([]);
		await scene.decide(runId, "allow_once");
		expect((await scene.core.settled(runId)).status).toBe("completed");
		expect(await scene.trail(runId)).toEqual(["requested", "approved", "started", "succeeded"]);
		expect(scene.hosts.calls).toHaveLength(1);
	});
});

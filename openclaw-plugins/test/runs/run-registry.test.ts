import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { followRun } from "../../src/hooks/follow-run.ts";
import { fakeTasks } from "../support/fake-tasks.ts";
import { openRig, pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

const event = (runId: string, sessionKey: string, stream: string, data: object) => ({ runId, sessionKey, stream, data, seq: 1, ts: 1 });

describe("the runs of a gateway", () => {
	it("tell of a change after it is on disk", async () => {
		await using rig = await pluginRig();
		rig.prepare();
		const onDisk = () => rig.files.readAll(() => {}).map(({ state }) => state);
		expect([rig.announced.map(({ state }) => state), onDisk()]).toEqual([["prepared"], ["prepared"]]);
		rig.registry.change(runRef(1).runId, { kind: "ended", state: "completed", text: "done" });
		expect([rig.announced.at(-1)?.state, onDisk()]).toEqual(["completed", ["completed"]]);
	});

	it("stay ended after the gateway was killed, and are lost when they had not ended", async () => {
		await using rig = await pluginRig();
		for (const n of [1, 2, 3]) rig.prepare(runRef(n, n));
		rig.registry.change(runRef(1).runId, { kind: "ended", state: "completed", text: "done" });
		rig.registry.change(runRef(2).runId, { kind: "begun" });
		const next = openRig(rig.state, rig.workspace);
		expect(next.lost.map(({ runId }) => runId).sort()).toEqual(["run-2", "run-3"]);
		expect([1, 2, 3].map((n) => next.registry.find(`run-${n}`)?.state)).toEqual(["completed", "lost", "lost"]);
		expect(next.registry.find("run-1")?.output?.text).toBe("done");
		expect(openRig(rig.state, rig.workspace).lost).toEqual([]);
	});

	it("take an event only with the run's own session, and its own words only", async () => {
		await using rig = await pluginRig();
		const [one, two] = [runRef(1, 1), runRef(2, 2)];
		rig.prepare(one);
		rig.prepare(two);
		followRun(event(one.runId, one.sessionKey, "assistant", { text: "words of the first" }), fakeTasks(), rig);
		followRun(event(one.runId, two.sessionKey, "lifecycle", { phase: "end" }), fakeTasks(), rig);
		expect(rig.registry.find(one.runId)?.state).toBe("prepared");
		followRun(event(two.runId, two.sessionKey, "lifecycle", { phase: "end" }), fakeTasks(), rig);
		followRun(event(one.runId, one.sessionKey, "lifecycle", { phase: "end" }), fakeTasks(), rig);
		expect(rig.registry.find(two.runId)?.output).toBeUndefined();
		expect(rig.registry.find(one.runId)?.output?.text).toBe("words of the first");
	});

	it("lose one run to one damaged file, with a word", async () => {
		await using rig = await pluginRig();
		rig.prepare(runRef(1, 1));
		rig.prepare(runRef(2, 2));
		writeFileSync(join(rig.state, "xworkmate", "runs", "run-1.json"), "{");
		const next = openRig(rig.state, rig.workspace);
		expect([next.registry.find("run-2")?.state, next.warnings.length]).toEqual(["lost", 1]);
		// Taken for unknown, it would be run a second time.
		expect(() => next.registry.require(runRef(1, 1))).toThrow(expect.objectContaining({ code: "INTERNAL" }));
		expect(() => next.prepare(runRef(1, 1))).toThrow(expect.objectContaining({ code: "INTERNAL" }));
	});
});

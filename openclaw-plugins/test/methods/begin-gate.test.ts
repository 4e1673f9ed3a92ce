import { describe, expect, it } from "vitest";
import { decideBegin } from "../../src/hooks/begin-gate.ts";
import { pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

describe("the gate before a turn begins", () => {
	it("lets a prepared run begin, once, and counts it as running from there", async () => {
		await using rig = await pluginRig();
		rig.prepare();
		expect(decideBegin(runRef(1), rig.registry)).toEqual({ outcome: "pass" });
		expect(rig.registry.find("run-1")?.state).toBe("running");
	});

	it("keeps a run that was cancelled, or lost, from beginning", async () => {
		await using rig = await pluginRig();
		rig.prepare();
		rig.registry.change(runRef(1).runId, { kind: "cancel_requested" });
		expect(decideBegin(runRef(1), rig.registry)).toMatchObject({ outcome: "block" });
	});

	it("keeps the gateway from resuming a turn of ours under an id of its own, and leaves other sessions alone", async () => {
		await using rig = await pluginRig();
		const resumed = { runId: "0c2f", inputProvenance: { sourceTool: "main_session_restart_recovery" } };
		expect(decideBegin({ ...resumed, sessionKey: runRef(1).sessionKey }, rig.registry)).toMatchObject({ outcome: "block" });
		expect(decideBegin({ ...resumed, sessionKey: "agent:main:main" }, rig.registry)).toEqual({ outcome: "pass" });
	});
});

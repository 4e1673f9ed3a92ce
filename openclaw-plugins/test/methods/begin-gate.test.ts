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

	it.for<[string, object]>([
		["a background command that has ended", { trigger: "heartbeat", inputProvenance: { kind: "internal_system", sourceTool: "exec" } }],
		["a heartbeat", { trigger: "heartbeat" }],
		["a sub-agent that has ended", { trigger: "user", inputProvenance: { kind: "inter_session", sourceTool: "subagent_announce" } }],
		["a clock", { trigger: "cron" }],
	])("keeps a conversation from being woken by %s, before a model is asked", async ([, woken], { expect }) => {
		await using rig = await pluginRig();
		rig.prepare();
		rig.registry.change(runRef(1).runId, { kind: "ended", state: "completed" });
		const { sessionKey } = runRef(1);
		expect(decideBegin({ runId: "b54f70b9", sessionKey, ...woken }, rig.registry)).toMatchObject({ outcome: "block" });
		expect(decideBegin({ runId: "b54f70b9", sessionKey: "agent:main:main", ...woken }, rig.registry)).toEqual({ outcome: "pass" });
	});

	it("lets somebody speak in a conversation on the gateway itself", async () => {
		await using rig = await pluginRig();
		const { sessionKey } = runRef(1);
		expect(decideBegin({ runId: "b54f70b9", sessionKey, trigger: "user" }, rig.registry)).toEqual({ outcome: "pass" });
	});

	it("keeps the gateway from resuming a turn of ours under an id of its own, and leaves other sessions alone", async () => {
		await using rig = await pluginRig();
		const resumed = { runId: "0c2f", inputProvenance: { sourceTool: "main_session_restart_recovery" } };
		expect(decideBegin({ ...resumed, sessionKey: runRef(1).sessionKey }, rig.registry)).toMatchObject({ outcome: "block" });
		expect(decideBegin({ ...resumed, sessionKey: "agent:main:main" }, rig.registry)).toEqual({ outcome: "pass" });
	});
});

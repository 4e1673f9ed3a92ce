import { openClawMethods } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { gatewayFolders, startFakeGateway } from "./support/fake-gateway.ts";
import { runRef } from "./support/run-refs.ts";

const { runId, sessionKey } = runRef(1);
const lifecycle = (data: object) => ({ runId, sessionKey, stream: "lifecycle", data, seq: 1, ts: 1 });

describe("the plugin in a gateway", () => {
	it("offers every method of the contract with the least scope it needs, and one route behind the gateway's token", async () => {
		await using folders = await gatewayFolders();
		const gateway = startFakeGateway(folders);
		expect(Object.fromEntries([...gateway.methods].map(([name, { scope }]) => [name, scope]))).toEqual(
			Object.fromEntries(Object.entries(openClawMethods).map(([name, { scope }]) => [name, scope])),
		);
		expect(new Set(gateway.routes.map(({ auth, path }) => `${auth} ${path}`))).toEqual(new Set(["gateway /xworkmate/artifacts"]));
	});

	it("answers malformed params, each with a code, and never leaves a caller waiting", async () => {
		await using folders = await gatewayFolders();
		const gateway = startFakeGateway(folders);
		for (const name of Object.keys(openClawMethods)) {
			for (const params of [null, 1, [], { nonsense: true }, { ...runRef(1), extra: 1 }]) {
				const { error } = await gateway.call(name, params);
				const isAllowed = params === null && (name === "xworkmate.doctor" || name === "xworkmate.approvals.list");
				expect([name, error?.details?.code]).toEqual([name, isAllowed ? undefined : "INVALID_PARAMS"]);
			}
		}
		expect((await gateway.call("xworkmate.tasks.get", runRef(1))).error?.details).toEqual({ code: "RUN_UNKNOWN" });
		expect((await gateway.call("xworkmate.tasks.get", runRef(1))).error?.code).toBe("INVALID_REQUEST");
	});

	it("[T4-22] follows a run from its preparation to its end, though methods and hooks live apart", async () => {
		await using folders = await gatewayFolders();
		const gateway = startFakeGateway(folders);
		await gateway.start();
		await gateway.call("xworkmate.session.prepare", { ...runRef(1), hold: "effects", context: "the app's words" });
		expect(await gateway.hook("agent_turn_prepare", { prompt: "x" }, { runId, sessionKey })).toMatchObject({
			appendContext: expect.stringContaining("the app's words"),
		});
		expect(await gateway.hook("agent_turn_prepare", { prompt: "x" }, { runId, sessionKey: "agent:main:main" })).toBeUndefined();
		expect(await gateway.hook("before_agent_run", {}, { runId, sessionKey })).toEqual({ outcome: "pass" });
		gateway.say(lifecycle({ phase: "start" }));
		gateway.say(lifecycle({ phase: "end", terminalReply: { text: "done" } }));
		gateway.say(lifecycle({ phase: "error", error: "later" }));
		expect((await gateway.call("xworkmate.tasks.get", runRef(1))).payload).toMatchObject({ state: "completed", output: { text: "done" } });
		expect(gateway.emitted.map(({ payload }) => payload)).toMatchObject([
			{ state: "prepared" },
			{ state: "running" },
			{ state: "completed" },
		]);
	});

	it("names a run as lost after the gateway was killed, before it answers anything, and stops its resume", async () => {
		await using folders = await gatewayFolders();
		await startFakeGateway(folders).call("xworkmate.session.prepare", { ...runRef(1), hold: "none" });
		const next = startFakeGateway(folders);
		expect((await next.call("xworkmate.tasks.get", runRef(1))).payload).toMatchObject({ state: "lost" });
		await next.start();
		expect(next.patches.map((patch) => [patch.agentId, patch.sessionKey, patch.update({})])).toMatchObject([
			["main", sessionKey, { status: "failed", abortedLastRun: false, mainRestartRecovery: undefined }],
		]);
		const resumed = { runId: "another-id", sessionKey, inputProvenance: { sourceTool: "main_session_restart_recovery" } };
		expect(await next.hook("before_agent_run", {}, resumed)).toMatchObject({ outcome: "block" });
	});

	it("lets go of held calls when the gateway stops, and when the run is cancelled", async () => {
		await using folders = await gatewayFolders();
		const gateway = startFakeGateway(folders);
		await gateway.start();
		await gateway.call("xworkmate.session.prepare", { ...runRef(1), hold: "effects" });
		await gateway.hook("before_agent_run", {}, { runId, sessionKey });
		const call = { toolName: "exec", params: { command: "make" }, runId, toolCallId: "c" };
		const stopped = gateway.hook("before_tool_call", call, { runId, sessionKey });
		await gateway.stop();
		expect(await stopped).toMatchObject({ block: true, blockReason: expect.stringContaining("the gateway is stopping") });
		const cancelled = gateway.hook("before_tool_call", call, { runId, sessionKey });
		expect((await gateway.call("xworkmate.approvals.list", { sessionKey })).payload).toMatchObject({ items: [{ command: "make" }] });
		await gateway.call("xworkmate.tasks.cancel", runRef(1));
		expect(await cancelled).toMatchObject({ block: true });
		expect(await gateway.hook("before_tool_call", call, { runId, sessionKey })).toMatchObject({ block: true });
	});
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../support/bridge/bridge-process.ts";
import { BridgeWatch } from "../support/bridge/bridge-watch.ts";
import { worldEffects, writeWorldTools } from "../support/bridge/world-tools.ts";
import { harm } from "../support/hostile/describe-hostile.ts";
import { programAttacks } from "../support/hostile/program-attacks.ts";
import { receiptsOf, verifyReceipts } from "../support/wire/receipts.ts";
import { runProgram } from "../support/wire/run-program.ts";

let bridge: BridgeProcess;
let watch: BridgeWatch;

beforeAll(async () => {
	bridge = await startBridge({ env: { XWORKMATE_TOOLS_ACCEPT: "auto" } });
	watch = new BridgeWatch(bridge);
	await writeWorldTools(bridge.home);
	await bridge.client().rpc("xworkmate.tools.reload");
	for (const name of ["destroy", "replace"])
		await bridge.client().rpc("xworkmate.tools.policy", { toolId: `world.thing.${name}`, decision: "deny" });
});
afterAll(async () => {
	await watch[Symbol.asyncDispose]();
	await bridge[Symbol.asyncDispose]();
});

describe("[T1-02] a program that attacks", { timeout: 90_000 }, () => {
	it.for(programAttacks.map((attack) => [attack.name, attack] as const))("it %s", async ([, { program, ends, acts = [] }]) => {
		const before = (await worldEffects(bridge.home)).length;
		const watched = await watch.during(() => runProgram(bridge.client(), program));
		if (watched.result.kind === "refused") throw new Error(watched.result.refusal.message);
		const { runId, status, code = "", message = "", output } = watched.result.snapshot;
		const text = output?.text ?? "";
		if (typeof ends === "string") expect({ status, message, text }).toEqual({ status: "completed", message: "", text: ends });
		else expect(`${status} ${code} ${message}${text}`).toMatch(ends);
		const effects = (await worldEffects(bridge.home)).slice(before).filter(({ tool }) => tool !== "look" || acts.length > 0);
		// A call that the program did not wait for may have been stopped before it acted.
		expect(acts).toEqual(expect.arrayContaining(effects.map(({ n }) => n)));
		if (status === "completed") expect(effects.map(({ n }) => n)).toEqual(acts);
		const calls = Map.groupBy(await receiptsOf(bridge.client(), runId), ({ toolCallId }) => toolCallId);
		for (const [call, receipts] of calls) expect(receipts.at(-1)?.type, call).toMatch(/\.(denied|succeeded|failed)$/);
		expect(harm(watched)).toEqual([]);
	});

	it("[T1-59] a run and its calls have the fields that say which, of what, how far and when", async () => {
		const end = await runProgram(bridge.client(), "return (await tools.world.make({ n: 98 })).ok;");
		const { runId } = end.kind === "snapshot" ? end.snapshot : { runId: "" };
		const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/);
		const run = { runId, sessionId: expect.stringMatching(/^thread-/), status: "completed", startedAt: time, endedAt: time };
		expect(await bridge.client().rpc("xworkmate.tasks.get", { runId })).toMatchObject(run);
		const call = {
			toolCallId: "call-1",
			runId,
			toolId: "world.thing.make",
			risk: "write",
			inputHash: expect.stringMatching(/^[0-9a-f]{64}$/),
		};
		const receipts = await receiptsOf(bridge.client(), runId);
		expect(receipts.map(({ type }) => type.replace("tool.call.", ""))).toEqual(["requested", "approved", "started", "succeeded"]);
		for (const receipt of receipts) expect(receipt).toMatchObject(call);
	});

	it("and the next program is fine, and every receipt holds", async () => {
		const next = await runProgram(bridge.client(), "const r = await tools.world.make({ n: 99 }); return r.ok;");
		expect(next).toMatchObject({ snapshot: { status: "completed", output: { text: "true" } } });
		expect(await verifyReceipts(bridge.client())).toMatchObject({ ok: true });
	});
});

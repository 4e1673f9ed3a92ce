import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { BridgeWatch } from "../../support/bridge/bridge-watch.ts";
import { worldEffects, writeWorldTools } from "../../support/bridge/world-tools.ts";
import { harm } from "../../support/hostile/describe-hostile.ts";
import { programAttacks } from "../../support/hostile/program-attacks.ts";
import { receiptsOf, verifyReceipts } from "../../support/wire/receipts.ts";
import { runProgram } from "../../support/wire/run-program.ts";

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

	it("and the next program is fine, and every receipt holds", async () => {
		const next = await runProgram(bridge.client(), "const r = await tools.world.make({ n: 99 }); return r.ok;");
		expect(next).toMatchObject({ snapshot: { status: "completed", output: { text: "true" } } });
		expect(await verifyReceipts(bridge.client())).toMatchObject({ ok: true });
	});
});

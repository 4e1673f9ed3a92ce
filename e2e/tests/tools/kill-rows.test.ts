import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { approvals, decide } from "../../support/app/approvals.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { programKillEnv } from "../../support/bridge/program-kills.ts";
import { letGo, type WorldTool, worldEffects, writeWorldTools } from "../../support/bridge/world-tools.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { trailOf, verifyReceipts } from "../../support/wire/receipts.ts";
import { turn } from "../../support/wire/turn.ts";
import { type ApprovalRecord, isOver, TaskSnapshot } from "../../support/wire/wire.ts";

const BOUND_MS = 30_000;

let bridge: BridgeProcess;
beforeEach(async () => {
	bridge = await startBridge({ env: { ...programKillEnv, XWORKMATE_MAX_ACTIVE_RUNS: "1" } });
	await writeWorldTools(bridge.home);
	await bridge.client().rpc("xworkmate.tools.reload");
});
afterEach(async () => {
	expect(await verifyReceipts(bridge.client())).toMatchObject({ ok: true });
	await bridge[Symbol.asyncDispose]();
});

async function submit(prompt: string): Promise<string> {
	return TaskSnapshot.parse(await bridge.client().rpc("session.start", turn({ prompt, providerId: "script" }))).runId;
}

const one = (tool: WorldTool, input: object) =>
	`const r = await tools.world.${tool}(${JSON.stringify({ n: 1, ...input })}); return r.ok ? "done" : r.error.code;`;

function asked(): Promise<ApprovalRecord> {
	return waitUntil("the request", BOUND_MS, async () => (await approvals(bridge.client(), { state: "pending" }))[0]);
}

function acted(count: number): Promise<true> {
	return waitUntil(`effect ${count}`, BOUND_MS, async () => ((await worldEffects(bridge.home)).length >= count ? true : undefined));
}

function end(runId: string): Promise<TaskSnapshot> {
	return waitUntil(`the end of ${runId}`, BOUND_MS, async () => {
		const snapshot = await bridge.client().snapshot({ runId });
		return isOver(snapshot.status) ? snapshot : undefined;
	});
}

describe("kill -9 of the bridge while a call is", () => {
	it("[T1-19] requested, undecided: the same request, the same expiry, one effect", async () => {
		const runId = await submit(one("destroy", {}));
		const before = await asked();
		await bridge.restart("SIGKILL");
		expect(await asked()).toEqual(before);
		await decide(bridge.client(), before.approvalId, "allow_once");
		expect(await end(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		expect(await trailOf(bridge.client(), runId)).toEqual(["requested", "approved", "started", "succeeded"]);
		expect(await worldEffects(bridge.home)).toMatchObject([{ tool: "destroy", attempt: 1 }]);
	});

	it("approved, not started: the handler is called once", async () => {
		const runId = await submit(one("destroy", {}));
		const { approvalId } = await asked();
		// The parked program has given its place to this one, so what is allowed cannot start.
		const other = await submit(one("look", { n: 2, hold: true }));
		await acted(1);
		await decide(bridge.client(), approvalId, "allow_once");
		expect(await trailOf(bridge.client(), runId)).toEqual(["requested", "approved"]);
		await bridge.kill("SIGKILL");
		await letGo(bridge.home);
		await bridge.start();
		for (const ended of [runId, other]) {
			expect(await end(ended), ended === runId ? "the allowed one" : "the other").toMatchObject({
				status: "completed",
				output: { text: "done" },
			});
		}
		expect(await trailOf(bridge.client(), runId)).toEqual(["requested", "approved", "started", "succeeded"]);
		expect((await worldEffects(bridge.home)).filter((effect) => effect.runId === runId)).toMatchObject([{ attempt: 1 }]);
	});

	it.each(["look", "ensure"] as const)("started, %s: made again as attempt 2, with the same idempotency key", async (tool) => {
		const runId = await submit(one(tool, { hold: true }));
		await acted(1);
		await bridge.restart("SIGKILL");
		await acted(2);
		await letGo(bridge.home);
		expect(await end(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		const [first, second, ...more] = await worldEffects(bridge.home);
		expect(more).toEqual([]);
		expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
		expect(second?.key).toBe(first?.key);
		expect(await trailOf(bridge.client(), runId)).toEqual(["requested", "started", "succeeded"]);
	});

	it.each(["make", "destroy"] as const)("started, %s: unknown, never made again, and the program is told", async (tool) => {
		const runId = await submit(one(tool, { hold: true }));
		if (tool === "destroy") await decide(bridge.client(), (await asked()).approvalId, "allow_once");
		await acted(1);
		await bridge.restart("SIGKILL");
		expect(await end(runId)).toMatchObject({ status: "completed", output: { text: "OUTCOME_UNKNOWN" } });
		expect((await trailOf(bridge.client(), runId)).at(-1)).toBe("unknown");
		expect(await worldEffects(bridge.home)).toHaveLength(1);
	});

	it("settled: taken from the record, also when a later call is killed", async () => {
		const runId = await submit(
			"const a = await tools.world.make({ n: 1 }); const b = await tools.world.look({ n: 2, hold: true }); return [a, b].map((r) => r.ok ? r.value.n : 0).join();",
		);
		await acted(2);
		await bridge.restart("SIGKILL");
		await acted(3);
		await letGo(bridge.home);
		expect(await end(runId)).toMatchObject({ status: "completed", output: { text: "1,2" } });
		expect((await worldEffects(bridge.home)).map(({ n }) => n)).toEqual([1, 2, 2]);
	});

	it("decided before it, in a handler after it: each request of one program stands alone", async () => {
		const runId = await submit(
			'return (await Promise.all([tools.world.destroy({ n: 1 }), tools.world.destroy({ n: 2 })])).map((r) => r.ok ? "done" : r.error.code).join();',
		);
		const both = await waitUntil("both requests", BOUND_MS, async () => {
			const pending = await approvals(bridge.client(), { state: "pending" });
			return pending.length === 2 ? pending : undefined;
		});
		const of = (call: string) => both.find(({ toolCallId }) => toolCallId === call)?.approvalId ?? "";
		await decide(bridge.client(), of("call-1"), "deny");
		await bridge.restart("SIGKILL");
		await decide(bridge.client(), of("call-2"), "allow_once");
		expect(await end(runId)).toMatchObject({ status: "completed", output: { text: "DENIED,done" } });
		expect(await worldEffects(bridge.home)).toMatchObject([{ n: 2, attempt: 1 }]);
	});

	it("not there: a program that called no integration is interrupted, as before", async () => {
		const prompt = 'console.log("here"); await tools.time.wait({ ms: 600_000 }); return 1;';
		const stream = await bridge.client().stream("session.start", turn({ prompt, providerId: "script" }));
		const { runId } = await stream.until("its first line", ({ update }) => update.kind === "message_delta", BOUND_MS);
		await bridge.restart("SIGKILL");
		expect(await end(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED" });
	});
});

it("SIGTERM parks a program that asks; it goes on with the next bridge", async () => {
	const runId = await submit(one("destroy", {}));
	const before = await asked();
	expect(await bridge.kill("SIGTERM")).toBe(0);
	await bridge.start();
	expect(await asked()).toEqual(before);
	await decide(bridge.client(), before.approvalId, "deny");
	expect(await end(runId)).toMatchObject({ status: "completed", output: { text: "DENIED" } });
	expect(await worldEffects(bridge.home)).toEqual([]);
});

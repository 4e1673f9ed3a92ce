import { createHash } from "node:crypto";
import { Receipt, Snapshot } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import { CountingHosts, done } from "./counting-hosts.ts";
import { ProgramScene } from "./program-scene.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const world = () => new CountingHosts({ look: { risk: "read" }, make: { risk: "write" }, destroy: { risk: "destructive" } });

describe("a program's typed calls", () => {
	it("[T1-10] [T1-11] [T1-57] [T1-94] a read that is allowed runs by itself and leaves its trail", async () => {
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

	it("[T1-09] TypeScript as a model writes it runs in a process of its own, which has nothing but its tools", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		let programs: readonly { readonly pid: number }[] = [];
		scene.hosts.handle = async () => {
			programs = scene.programs;
			return done({ count: 2 });
		};
		const runId = await scene.run(
			[
				"Here is the program:",
				"```ts",
				"interface Seen { readonly count: number }",
				"function first<T>(all: readonly T[]): T | undefined { return all[0]; }",
				"const r = await tools.world.look({ at: first([1, 2]) });",
				"const seen = (r.ok ? r.value : { count: 0 }) as Seen;",
				"const outside = ['process', 'require', 'fetch', 'Bun', 'Deno'].filter((name) => name in globalThis);",
				"return [seen.count satisfies number, ...outside].join();",
				"```",
			].join("\n"),
		);
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "2" } });
		expect(programs.map(({ pid }) => pid)).not.toContain(process.pid);
		expect(programs.length).toBeGreaterThan(0);
	});

	it("[T1-59] a run and its calls say which they are, of what, how far and when, in the fields of the wire", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run("return (await tools.world.look({ at: 1 })).ok");
		await scene.core.settled(runId);
		const { sessionId, status, startedAt, endedAt } = Snapshot.parse(await scene.core.service.snapshot(runId));
		expect({ sessionId, status }).toEqual({ sessionId: "thread", status: "completed" });
		expect(Date.parse(endedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(startedAt ?? ""));
		const inputHash = createHash("sha256").update('{"at":1}').digest("hex");
		for (const receipt of await scene.receipts(runId)) {
			const call = { toolCallId: "call-1", runId, toolId: "world.thing.look", inputHash, risk: "read" };
			expect(Receipt.parse(receipt)).toMatchObject(call);
		}
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

describe("a typed call that may not start", () => {
	it("does not run at all with a rule for a tool that does not exist", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const prompt = "return await tools.world.look({})";
		const toolPolicy = { "world.thing.look": "allow", "world.thing.dstroy": "deny" };
		const run = scene.run(prompt, "t1", { metadata: { xworkmateAssistant: { toolPolicy } } });
		await expect(run).rejects.toMatchObject({ code: "TOOL_NOT_FOUND", message: expect.stringContaining(": world.thing.dstroy.") });
		expect(scene.hosts.calls).toEqual([]);
	});

	it("is denied by a rule without being asked, and the program is told", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		scene.policy.rules.set("make", "deny");
		const runId = await scene.run("const r = await tools.world.make({}); return r.ok ? 'made' : r.error.code");
		expect((await scene.core.settled(runId)).output?.text).toBe("DENIED");
		const receipts = await scene.receipts(runId);
		expect(receipts.map(({ type }) => type)).toEqual(["tool.call.requested", "tool.call.denied"]);
		expect(receipts[1]?.decision).toEqual({ by: "person", decision: "deny", reason: "policy" });
		expect(scene.hosts.calls).toEqual([]);
	});

	it("is denied when a rule forbids it between its approval and its start", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run("const r = await tools.world.destroy({}); return r.ok ? 'gone' : r.error.code");
		await scene.asked(runId);
		const answered = scene.core.service.decideApproval((await scene.asked(runId)) as never, "allow_once", "person");
		scene.policy.rules.set("destroy", "deny");
		await answered;
		expect((await scene.core.settled(runId)).output?.text).toBe("DENIED");
		expect(await scene.trail(runId)).toEqual(["requested", "approved", "denied"]);
		expect(scene.hosts.calls).toEqual([]);
	});

	it("is answered with TOOL_CHANGED when its code has changed since it was allowed", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run("const r = await tools.world.destroy({}); return r.ok ? 'gone' : r.error.code");
		await scene.asked(runId);
		scene.hosts.change();
		await scene.decide(runId, "allow_once");
		expect((await scene.core.settled(runId)).output?.text).toBe("TOOL_CHANGED");
		expect(scene.hosts.calls).toEqual([]);
	});

	it("is answered with INVALID_INPUT when the tool cannot read the input, and has a trail", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		scene.hosts.examine1 = () => ({ kind: "invalid", message: "id: must be a number" });
		const runId = await scene.run("const r = await tools.world.make({}); return r.ok ? '' : r.error.code + ' ' + r.error.message");
		expect((await scene.core.settled(runId)).output?.text).toBe("INVALID_INPUT id: must be a number");
		expect(await scene.trail(runId)).toEqual(["requested", "failed"]);
	});

	it("says failed for what is known not to have acted, and unknown for what nobody can know", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		scene.policy.rules.set("make", "allow");
		scene.hosts.handle = async ({ method }) =>
			method === "look"
				? { kind: "failed", code: "TOOL_TIMEOUT", message: "no answer" }
				: { kind: "unknown", code: "HOST_LOST", message: "its process ended" };
		const runId = await scene.run(
			"const [a, b] = await Promise.all([tools.world.look({}), tools.world.make({})]); return [a, b].map((r) => r.ok ? '' : r.error.code).join()",
		);
		expect((await scene.core.settled(runId)).output?.text).toBe("TOOL_TIMEOUT,HOST_LOST");
		expect(await scene.trail(runId, "call-1")).toEqual(["requested", "started", "failed"]);
		expect(await scene.trail(runId, "call-2")).toEqual(["requested", "approved", "started", "unknown"]);
	});

	it("tells its handler that the run is cancelled, and has what happened to it before the run is over", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		scene.policy.rules.set("make", "allow");
		scene.hosts.handle = async (_call, signal) => {
			await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
			return { kind: "unknown", code: "OUTCOME_UNKNOWN", message: "it was ended" };
		};
		const runId = await scene.run("return await tools.world.make({})");
		await scene.until(runId, "started");
		await scene.core.service.cancel(runId);
		expect((await scene.core.settled(runId)).status).toBe("cancelled");
		expect(await scene.trail(runId)).toEqual(["requested", "approved", "started", "unknown"]);
	});

	it("has its outcome on the disk before the program sees it", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		scene.policy.rules.set("make", "allow");
		const runId = await scene.run("await tools.world.make({}); await tools.world.look({}); return 1");
		let durable: readonly string[] = [];
		scene.hosts.handle = async ({ method }) => {
			if (method === "look") durable = await scene.trail(runId, "call-1");
			else expect(await scene.trail(runId, "call-1")).toEqual(["requested", "approved", "started"]);
			return done();
		};
		expect((await scene.core.settled(runId)).status).toBe("completed");
		expect(durable).toEqual(["requested", "approved", "started", "succeeded"]);
	});
});

import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, vi } from "vitest";
import { CountingHosts, done, type Handler } from "./counting-hosts.ts";
import { ProgramScene } from "./program-scene.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const world = () =>
	new CountingHosts({
		look: { risk: "read" },
		make: { risk: "write" },
		ensure: { risk: "write", isIdempotent: true },
		destroy: { risk: "destructive" },
	});

const DESTROY = "const r = await tools.world.destroy({ id: 7 }); return r.ok ? 'done' : r.error.code";

/** Hangs for the first `times` calls, as a handler does whose bridge is killed meanwhile; each acts before. */
function hanging(scene: ProgramScene, times = 1): { readonly begun: Promise<void> } {
	const { promise: begun, resolve } = Promise.withResolvers<void>();
	let left = times;
	const handle: Handler = async (call) => {
		scene.hosts.acted(call);
		if (left-- <= 0) return done();
		resolve();
		return new Promise(() => undefined);
	};
	scene.hosts.handle = handle;
	return { begun };
}

describe("killed when", () => {
	it("[T1-19] requested, undecided: the same request is open, with the same expiry, and its decision counts", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run(DESTROY);
		const approvalId = await scene.asked(runId);
		const [before] = (await scene.core.service.snapshot(runId)).pendingApprovals;
		await scene.crash();
		const snapshot = await scene.core.service.snapshot(runId);
		expect(snapshot).toMatchObject({ status: "running", progress: { stage: "waiting_approval" } });
		expect(snapshot.pendingApprovals).toEqual([before]);
		await scene.core.service.decideApproval(approvalId as never, "allow_once", "person");
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		expect(await scene.trail(runId)).toEqual(["requested", "approved", "started", "succeeded"]);
		expect(scene.hosts.calls).toHaveLength(1);
	});

	it("denied while nobody waits: the program gets the denial, and nothing is called", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run(DESTROY);
		await scene.asked(runId);
		await scene.die();
		await scene.core.load();
		await scene.decide(runId, "deny");
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "DENIED" } });
		expect(await scene.trail(runId)).toEqual(["requested", "denied"]);
		expect(scene.hosts.calls).toEqual([]);
	});

	it("approved, not started: the handler is called once", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run(DESTROY);
		await scene.asked(runId);
		await scene.die();
		await scene.core.load();
		await scene.decide(runId, "allow_once");
		await scene.die();
		await scene.core.load();
		expect(await scene.trail(runId)).toEqual(["requested", "approved"]);
		await scene.core.coordinator.recover();
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		expect(await scene.trail(runId)).toEqual(["requested", "approved", "started", "succeeded"]);
		expect(scene.hosts.calls).toHaveLength(1);
	});

	it.each([
		["look", "a read"],
		["ensure", "an idempotent write"],
	])("started, tools.world.%s: %s is called again, as attempt 2 with the same key", async (method) => {
		await using scene = await ProgramScene.open({ hosts: world() });
		scene.policy.rules.set(method, "allow");
		const { begun } = hanging(scene);
		const runId = await scene.run(`const r = await tools.world.${method}({ id: 7 }); return r.ok ? 'done' : r.error.code`);
		await begun;
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		const [first, second, ...more] = scene.hosts.calls;
		expect(more).toEqual([]);
		expect(second).toEqual({ ...first, attempt: 2 });
		expect((await scene.receipts(runId)).at(-1)).toMatchObject({ type: "tool.call.succeeded", outcome: { attempt: 2 } });
	});

	it("started, killed twice: the third call says that it is the third", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const first = hanging(scene);
		const runId = await scene.run("return (await tools.world.look({})).ok");
		await first.begun;
		const second = hanging(scene);
		await scene.crash();
		await second.begun;
		await scene.crash();
		expect((await scene.core.settled(runId)).status).toBe("completed");
		expect(scene.hosts.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
		expect(await scene.trail(runId)).toEqual(["requested", "started", "succeeded"]);
	});

	it.each(["make", "destroy"])("started, tools.world.%s: never called again, and nobody can know", async (method) => {
		await using scene = await ProgramScene.open({ hosts: world() });
		scene.policy.rules.set(method, "allow");
		const { begun } = hanging(scene);
		const runId = await scene.run(`const r = await tools.world.${method}({ id: 7 }); return [r.ok, r.ok ? '' : r.error.code].join(' ')`);
		await begun;
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "false OUTCOME_UNKNOWN" } });
		expect([...scene.hosts.effects.values()]).toEqual([1]);
		expect((await scene.trail(runId)).at(-1)).toBe("unknown");
	});

	it("settled: the answer is taken from the record", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		let count = 0;
		scene.hosts.handle = async () => done({ count: ++count });
		const runId = await scene.run(
			"const a = await tools.world.look({}); const b = await tools.world.destroy({ a }); return JSON.stringify([a, b])",
		);
		await scene.asked(runId, "call-2");
		await scene.crash();
		await scene.decide(runId, "allow_once", "call-2");
		const { output } = await scene.core.settled(runId);
		expect(JSON.parse(output?.text ?? "")).toEqual([
			{ ok: true, value: { count: 1 } },
			{ ok: true, value: { count: 2 } },
		]);
	});

	it("the tool has changed: an approval of the old code allows nothing", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run(DESTROY);
		await scene.asked(runId);
		await scene.die();
		scene.hosts.change();
		await scene.core.start();
		await scene.decide(runId, "allow_once");
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "TOOL_CHANGED" } });
		expect(await scene.trail(runId)).toEqual(["requested", "approved", "denied"]);
		expect(scene.hosts.calls).toEqual([]);
	});

	it("the tool is gone: the program gets TOOL_CHANGED, and goes on", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run(DESTROY);
		await scene.asked(runId);
		await scene.die();
		scene.hosts.change({});
		await scene.core.start();
		await scene.decide(runId, "allow_once");
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "TOOL_CHANGED" } });
	});

	it("no integration was called: interrupted, as before", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run("console.log('at work'); await tools.time.wait({ ms: 60_000 }); return await tools.world.look({})");
		await scene.core.until(runId, ({ event }) => event.type === "said" && event.update.kind === "message_delta");
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED" });
		expect(scene.hosts.calls).toEqual([]);
	});
});

describe("a program that is run again", () => {
	it("says nothing twice, has its files, its clock and its randomness, and ends as it would have", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run(`
			const facts: unknown[] = [Date.now(), Math.random()];
			await tools.files.write({ path: 'a.txt', text: 'once' });
			console.log('begun', facts[0], facts[1]);
			await tools.time.wait({ ms: 20 });
			facts.push(Date.now(), (await tools.world.look({})).ok, Date.now(), Math.random());
			console.log('looked', JSON.stringify(facts));
			await tools.world.destroy({ facts });
			facts.push(Date.now() > (facts[4] as number), (await tools.files.read({ path: 'a.txt' })).ok);
			return JSON.stringify(facts)`);
		const before = await scene.asked(runId, "call-4").then(() => scene.core.service.snapshot(runId));
		const said = async () =>
			(await scene.events(runId))
				.flatMap(({ event }) => (event.type === "said" ? [event.update] : []))
				.filter(({ kind }) => kind !== "usage");
		const first = (await said()).flatMap((update) => (update.kind === "message_delta" ? [update.text] : [])).join("");
		await scene.crash();
		await scene.decide(runId, "allow_once", "call-4");
		const after = await scene.core.settled(runId);
		expect([after.status, after.code, after.message]).toEqual(["completed", undefined, undefined]);
		expect(after.artifacts.items.map(({ relativePath }) => relativePath)).toEqual(["a.txt"]);
		expect(before.artifacts.count).toBe(0);
		const updates = await said();
		const text = updates
			.flatMap((update) => (update.kind === "message_delta" && update.messageId.includes("console") ? [update.text] : []))
			.join("");
		expect(text).toBe(first);
		const facts: unknown[] = JSON.parse(after.output?.text ?? "[]");
		expect(text).toContain(JSON.stringify(facts.slice(0, 6)));
		expect(facts.slice(6)).toEqual([true, true]);
		const calls = updates.flatMap((update) => (update.kind === "tool_call" ? [`${update.toolCallId} ${update.state}`] : []));
		expect(new Set(calls).size).toBe(calls.length);
	});

	it("that does something else fails as RESUME_MISMATCH, and no handler is called after it", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run("await tools.world.look({ n: 1 }); return await tools.world.destroy({ id: 7 })");
		await scene.asked(runId, "call-2");
		await scene.die();
		alterProgram(scene.core.home, (source) => source.replace("n: 1", "n: 2"));
		await scene.core.start();
		const calls = scene.hosts.calls.length;
		await scene.decide(runId, "allow_once", "call-2");
		expect(await scene.core.settled(runId)).toMatchObject({ status: "failed", code: "RESUME_MISMATCH" });
		expect(scene.hosts.calls).toHaveLength(calls);
	});

	it.each([
		["returns before it", (source: string) => source.replace("await tools.world.destroy", "tools.world.look; 0; void")],
		["waits for something else", (source: string) => source.replace("await tools.world.destroy", "await Promise.race([]);")],
	])("without a call that it had made (it %s) fails as RESUME_MISMATCH", async (_how, change) => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run(
			"const open = tools.world.look({ hangs: true }); await tools.world.destroy({ id: 7 }); return await open",
		);
		scene.hosts.handle = async (call) => ("hangs" in (call.input as object) ? new Promise(() => undefined) : done());
		await scene.asked(runId, "call-2");
		await scene.die();
		alterProgram(scene.core.home, change);
		await scene.core.start();
		expect(await scene.core.settled(runId)).toMatchObject({ status: "failed", code: "RESUME_MISMATCH" });
	});
});

/** Changes a recorded program, which only damage or another version of the sandbox could do. */
function alterProgram(home: string, change: (source: string) => string): void {
	const db = new Database(join(home, "bridge", "bridge.sqlite"));
	const row = db.prepare<[], { run: number; at: string; body: string }>("SELECT run, at, body FROM run_step WHERE n = 1").get();
	if (row === undefined) throw new Error("no program is recorded");
	const step = JSON.parse(row.body);
	db.prepare("DELETE FROM run_step WHERE n = 1").run();
	const body = JSON.stringify({ ...step, source: change(step.source) });
	db.prepare("INSERT INTO run_step (run, n, kind, at, body) VALUES (?, 1, 'program', ?, ?)").run(row.run, row.at, body);
	db.close();
}

import type { RunId } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import { CountingHosts, done } from "./counting-hosts.ts";
import { ProgramScene } from "./program-scene.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const world = () => new CountingHosts({ look: { risk: "read" }, make: { risk: "write" }, destroy: { risk: "destructive" } });
const DESTROY = "const r = await tools.world.destroy({ id: 7 }); return r.ok ? 'done' : r.error.code";
const thread = (name: string) => ({ sessionId: name, threadId: name });

describe("a program that waits for persons alone", () => {
	it("gives back its process and its place, keeps its thread busy, and goes on when it is decided", async () => {
		await using scene = await ProgramScene.open({ hosts: world(), parkMs: 1, limits: { maxActiveRuns: 1 } });
		const runId = await scene.run(DESTROY);
		await scene.parked();
		expect(scene.core.parked).toEqual([runId]);
		expect(scene.core.runs.admission.activeCount).toBe(0);
		expect(await scene.core.service.snapshot(runId)).toMatchObject({ status: "running", progress: { stage: "waiting_approval" } });
		const next = await scene.run("return 'next'", "t2");
		const other = await scene.run("return 'other'", "t3", thread("other"));
		expect((await scene.core.settled(other)).output?.text).toBe("other");
		expect((await scene.core.service.snapshot(next)).status).toBe("queued");
		await scene.decide(runId, "allow_once");
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		expect(await scene.trail(runId)).toEqual(["requested", "approved", "started", "succeeded"]);
		expect((await scene.core.settled(next)).output?.text).toBe("next");
		expect(scene.hosts.calls).toHaveLength(1);
	});

	it("cannot catch that it is ended", async () => {
		await using scene = await ProgramScene.open({ hosts: world(), parkMs: 1 });
		const runId = await scene.run(
			"try { await tools.world.destroy({}) } catch { await tools.world.make({ caught: true }) } finally { console.log('finally') } return 'end'",
		);
		await scene.parked();
		expect((await scene.events(runId)).filter(({ event }) => event.type === "said" && event.update.kind === "message_delta")).toEqual([]);
		await scene.decide(runId, "deny");
		expect((await scene.core.settled(runId)).output?.text).toBe("end");
		expect(scene.hosts.calls).toEqual([]);
	});

	it("goes on with one decision, and waits again for the other", async () => {
		// Long enough for the second call to begin before the program is parked for the first.
		await using scene = await ProgramScene.open({ hosts: world(), parkMs: 1_000 });
		const runId = await scene.run(`
			const one = tools.world.destroy({ n: 1 }).then((r) => console.log('one', r.ok));
			const two = tools.world.destroy({ n: 2 }).then((r) => console.log('two', r.ok));
			await Promise.all([one, two]); return 'both'`);
		await scene.asked(runId, "call-2");
		await scene.parked();
		const before = scene.core.parked.length;
		await scene.decide(runId, "deny", "call-2");
		await scene.parked(before + 1);
		await scene.decide(runId, "allow_once", "call-1");
		expect((await scene.core.settled(runId)).output?.text).toBe("both");
		const said = (await scene.events(runId)).flatMap(({ event }) =>
			event.type === "said" && event.update.kind === "message_delta" && event.update.messageId.includes("console")
				? [event.update.text]
				: [],
		);
		expect(said.join("")).toBe("two false\none true\n");
	});

	it("is not parked while it waits for anything else", async () => {
		await using scene = await ProgramScene.open({ hosts: world(), parkMs: 1 });
		const runId = await scene.run(
			"const w = tools.time.wait({ ms: 300 }); const d = tools.world.destroy({}); await w; return (await d).ok",
		);
		await scene.asked(runId, "call-2");
		await scene.core.until(
			runId,
			({ event }) => event.type === "said" && event.update.kind === "tool_call" && event.update.state === "completed",
		);
		expect(scene.core.parked).toEqual([]);
		await scene.parked();
		await scene.decide(runId, "allow_once", "call-2");
		expect((await scene.core.settled(runId)).output?.text).toBe("true");
	});

	it("comes before every run that has not started, when there is no place at once", async () => {
		await using scene = await ProgramScene.open({ hosts: world(), parkMs: 1, limits: { maxActiveRuns: 1 } });
		const ends: string[] = [];
		scene.core.service.log.onCommittedAny((runId, events) => {
			if (events.some(({ status }) => status === "completed")) ends.push(runId);
		});
		const parked = await scene.run(DESTROY);
		await scene.parked();
		const gate = Promise.withResolvers<void>();
		scene.hosts.handle = async ({ method }) => {
			if (method === "look") await gate.promise;
			return done();
		};
		const active = await scene.run("return (await tools.world.look({})).ok", "t2", thread("active"));
		await scene.until(active, "started");
		const queued = await scene.run("return 1", "t3", thread("queued"));
		await scene.decide(parked, "allow_once");
		gate.resolve();
		await scene.core.settled(queued);
		expect(ends).toEqual([active, parked, queued]);
	});

	it("goes on after a restart when there is a place, however many were decided meanwhile", async () => {
		await using scene = await ProgramScene.open({ hosts: world(), parkMs: 1, limits: { maxActiveRuns: 1 }, maxPrograms: 1 });
		const runs: RunId[] = [];
		for (const name of ["one", "two", "three"]) {
			const runId = await scene.run(DESTROY, name, thread(name));
			runs.push(runId);
			await scene.parked(runs.length);
		}
		await scene.die();
		await scene.core.load();
		for (const runId of runs) await scene.decide(runId, "allow_once");
		await scene.crash();
		for (const runId of runs) expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		expect(scene.hosts.calls).toHaveLength(3);
	});

	it("is over at once when it is cancelled, and what it asked is withdrawn", async () => {
		await using scene = await ProgramScene.open({ hosts: world(), parkMs: 1 });
		const runId = await scene.run(DESTROY);
		await scene.parked();
		expect(await scene.core.service.cancel(runId)).toMatchObject({ status: "cancelled", pendingApprovals: [] });
		expect(await scene.trail(runId)).toEqual(["requested", "denied"]);
		expect(scene.hosts.calls).toEqual([]);
		expect((await scene.core.settled(await scene.run("return 1", "t2"))).status).toBe("completed");
		expect(await scene.core.steps(runId)).toEqual([]);
	});

	it("is parked by SIGTERM, and goes on with the next bridge", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		const runId = await scene.run(DESTROY);
		await scene.asked(runId);
		await scene.core.restart();
		expect((await scene.core.service.snapshot(runId)).status).toBe("running");
		expect(scene.core.parked).toContain(runId);
		await scene.decide(runId, "allow_once");
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		expect(scene.hosts.calls).toHaveLength(1);
	});

	it("has what a handler did before SIGTERM ended its time, and does not do it again", async () => {
		await using scene = await ProgramScene.open({ hosts: world() });
		scene.policy.rules.set("make", "allow");
		const gate = Promise.withResolvers<void>();
		scene.hosts.handle = async (call) => {
			await gate.promise;
			scene.hosts.acted(call);
			return done({ made: 1 });
		};
		const runId = await scene.run("console.log('a'); const r = await tools.world.make({}); return JSON.stringify(r)");
		await scene.until(runId, "started");
		const restarted = scene.core.restart();
		gate.resolve();
		await restarted;
		expect((await scene.core.settled(runId)).output?.text).toBe('{"ok":true,"value":{"made":1}}');
		expect([...scene.hosts.effects.values()]).toEqual([1]);
	});

	it("does not lose time of its limit while it is parked", async () => {
		await using scene = await ProgramScene.open({ hosts: world(), parkMs: 1, limits: { runBudgetMs: 60_000 } });
		const runId = await scene.run(DESTROY);
		await scene.parked();
		const { deadlineAt } = await scene.core.service.snapshot(runId);
		await scene.decide(runId, "allow_once");
		const after = await scene.core.settled(runId);
		expect(after.status).toBe("completed");
		expect(Date.parse(after.deadlineAt ?? "")).toBeGreaterThan(Date.parse(deadlineAt ?? ""));
	});
});

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CountingHosts, done } from "./counting-hosts.ts";
import { ProgramScene } from "./program-scene.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

describe("a hostile program", () => {
	let scene: ProgramScene;
	let turn = 0;
	beforeAll(async () => {
		const hosts = new CountingHosts({
			look: { risk: "read", input: "{ readonly id: number }" },
			take: { risk: "read", input: "any" },
			make: { risk: "write", own: "allow", input: "any" },
			destroy: { risk: "destructive", input: "any" },
		});
		scene = await ProgramScene.open({ hosts, parkMs: 50, limits: { runBudgetMs: 60_000 } });
	});
	afterAll(() => scene[Symbol.asyncDispose]());

	const start = (program: string) => {
		scene.hosts.calls.length = 0;
		const name = `t${++turn}`;
		return scene.run(program, name, { sessionId: name, threadId: name });
	};
	const run = async (program: string) => {
		const runId = await start(program);
		return await scene.core.settled(runId);
	};

	it("[T1-17] with a type error runs nothing, not even its first line", async () => {
		const { status, code, message } = await run("console.log('first'); return await tools.world.look({ id: 'seven' })");
		expect([status, code]).toEqual(["failed", "SCRIPT_INVALID"]);
		expect(message).toContain("line 1, column");
		expect(scene.hosts.examined).toEqual([]);
	});

	it.each([
		["a tool that is not declared", "return await tools.world.erase({})"],
		["an integration that is not there", "return await tools.moon.look({})"],
	])("[T1-17] that calls %s runs nothing", async (_what, program) => {
		expect(await run(program)).toMatchObject({ status: "failed", code: "SCRIPT_INVALID" });
	});

	it("[T1-12] [T1-83] has no network, no process and no module, whatever the types say", async () => {
		const { output } = await run(
			"const g = globalThis as any; return ['fetch', 'process', 'require', 'WebSocket', 'Worker', 'Deno'].map((name) => typeof g[name]).join()",
		);
		expect(output?.text).toBe(Array(6).fill("undefined").join());
	});

	it("that loops without end is ended when it is cancelled, also after a call", async () => {
		const runId = await start("await tools.world.look({ id: 1 }); for (;;) { }");
		await scene.until(runId, "succeeded");
		await scene.core.service.cancel(runId);
		expect((await scene.core.settled(runId)).status).toBe("cancelled");
	});

	it("that makes 10,000 calls makes 64 at once and 1,000 in all; the others are answered without a call", async () => {
		const { output } = await run(`
			const all = await Promise.all(Array.from({ length: 10_000 }, (_, n) => tools.world.take({ n })));
			let made = all.filter(({ ok }) => ok).length;
			const codes = new Set(all.flatMap((r) => r.ok ? [] : [r.error.code]));
			for (let n = 0; n < 1_000; n++) { const r = await tools.world.take({ n }); if (r.ok) made++; else { codes.add(r.error.code); break; } }
			return [all.filter(({ ok }) => ok).length, made, ...codes].join()`);
		expect(output?.text).toBe("64,1000,LIMIT_EXCEEDED");
		expect(scene.hosts.calls).toHaveLength(1_000);
	});

	it("that does not await its calls fails, and what it asked is withdrawn", async () => {
		const { runId, status, code, message } = await run("void tools.world.destroy({}); return 'done'");
		expect([status, code]).toEqual(["failed", "SCRIPT_ERROR"]);
		expect(message).toContain("await every tool call");
		expect(scene.hosts.calls).toEqual([]);
		expect(await scene.trail(runId)).not.toContain("started");
	});

	it("cannot make a denied call into anything else with a catch around everything", async () => {
		const runId = await start(`
			const { then } = Promise.prototype;
			try { (Promise.prototype as any).then = function (this: any, ok: any) { return then.call(this, () => ok({ ok: true, value: 'mine' })) } } catch {}
			try { (tools.world as any).destroy = async () => ({ ok: true }) } catch {}
			let r: any; try { r = await tools.world.destroy({}) } catch { r = 'caught' } finally { }
			return JSON.stringify(r)`);
		await scene.decide(runId, "deny");
		const { output } = await scene.core.settled(runId);
		expect(JSON.parse(output?.text ?? "")).toMatchObject({ ok: false, error: { code: "DENIED" } });
		expect(await scene.trail(runId)).toEqual(["requested", "denied"]);
	});

	it("keeps an own __proto__ of an input an own key, up to the handler, over a restart", async () => {
		const runId = await start(`return JSON.stringify(await tools.world.destroy(JSON.parse('{"__proto__": {"admin": true}, "n": 1}')))`);
		await scene.asked(runId);
		await scene.crash();
		await scene.decide(runId, "allow_once");
		await scene.core.settled(runId);
		const [call] = scene.hosts.calls;
		expect(Object.getOwnPropertyNames(call?.input)).toEqual(["__proto__", "n"]);
		expect(Object.getPrototypeOf(call?.input)).toBe(Object.prototype);
	});

	it("is denied an input of 2 MB, whose whole hash and first 2 KiB are on record", async () => {
		const { runId, output } = await run(
			"const r = await tools.world.make({ text: 'x'.repeat(2_000_000) }); return r.ok ? '' : r.error.code",
		);
		expect(output?.text).toBe("DENIED");
		const [requested, denied] = await scene.receipts(runId);
		expect(requested?.input?.truncated).toBe(true);
		expect(Buffer.byteLength(requested?.input?.text ?? "")).toBeLessThanOrEqual(2_048);
		expect(denied?.decision?.reason).toBe("input_too_large");
		expect(scene.hosts.calls).toEqual([]);
	});

	it.each([
		["10,000 deep", "let d: any = 1; for (let n = 0; n < 10_000; n++) d = { d };"],
		["a circle", "const d: any = {}; d.d = d;"],
		["a bigint", "const d = 1n;"],
		["a trap", "const d = { get x(): number { throw new Error('mine') } };"],
	])("gets INVALID_INPUT for an input that is %s, and nothing thrown", async (_what, input) => {
		const { output } = await run(`${input} const r = await tools.world.make({ d }); return r.ok ? '' : r.error.code`);
		expect(output?.text).toBe("INVALID_INPUT");
		expect(scene.hosts.calls).toEqual([]);
	});

	it("with a lone surrogate and without an input makes calls of their own hashes", async () => {
		const { runId, status } = await run(
			"await tools.world.take({ t: '\\ud800' }); await tools.world.take(undefined); await tools.world.take(null); return 1",
		);
		expect(status).toBe("completed");
		const hashes = (await scene.receipts(runId)).flatMap(({ type, inputHash }) => (type === "tool.call.requested" ? [inputHash] : []));
		expect(new Set(hashes).size).toBe(3);
	});

	it("does not learn a secret from its own receipts, and none is in them", async () => {
		scene.hosts.handle = async () => done({ token: "sk-abcdefghijklmnopqrstuvwxyz" });
		const { runId } = await run("await tools.world.make({ authorization: 'Bearer abcdefghijklmnop' }); return 1");
		expect(JSON.stringify(await scene.receipts(runId))).not.toMatch(/abcdefghijkl/);
	});
});

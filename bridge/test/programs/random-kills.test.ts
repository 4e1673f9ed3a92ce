import { setTimeout as delay } from "node:timers/promises";
import { emptyChain, hashOf, isTerminal, type RunId } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import { CountingHosts, done } from "./counting-hosts.ts";
import { ProgramScene } from "./program-scene.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const KILLS = 20;
const PROGRAMS = 4;

const PROGRAM = `
	const ends: string[] = [];
	const note = (name: string, r: { ok: boolean; error?: { code: string } }) => { ends.push(name + ' ' + (r.ok ? 'ok' : r.error?.code)); };
	for (let round = 0; round < 4; round++) {
		await Promise.all([
			tools.world.look({ round }).then((r: any) => note('look', r)),
			tools.world.make({ round }).then((r: any) => note('make', r)),
			tools.world.ensure({ round }).then((r: any) => note('ensure', r)),
			tools.world.destroy({ round }).then((r: any) => note('destroy', r)),
		]);
		console.log('round', round, ends.length);
		await tools.files.write({ path: round + '.txt', text: ends.join() });
	}
	return JSON.stringify(ends);`;

it(`[T1-04] nothing acts twice, nothing is lost without being unknown, and every run ends, over ${KILLS} kills at random`, async () => {
	const hosts = new CountingHosts({
		look: { risk: "read" },
		make: { risk: "write", own: "allow" },
		ensure: { risk: "write", own: "allow", isIdempotent: true },
		destroy: { risk: "destructive" },
	});
	await using scene = await ProgramScene.open({ hosts, parkMs: 5, limits: { maxActiveRuns: 3 } });
	hosts.handle = async (call) => {
		await delay(Math.random() * 10);
		hosts.acted(call);
		await delay(Math.random() * 10);
		return done();
	};
	const runs: RunId[] = [];
	for (let n = 0; n < PROGRAMS; n++) runs.push(await scene.run(PROGRAM, `t${n}`, { sessionId: `s${n}`, threadId: `s${n}` }));
	await Promise.all(runs.slice(0, 3).map((runId) => scene.core.until(runId, ({ event }) => event.type === "receipt")));
	let killed = 0;
	let wasStarting = false;
	for (let running = true; running; ) {
		await delay(killed < KILLS ? Math.random() * 150 : 20);
		const isStarting = (await scene.core.attempts.list()).some(({ open }) => open);
		// A run that is being started while two bridges in a row are killed would be blamed for that.
		if (killed < KILLS && !(isStarting && wasStarting)) {
			killed++;
			wasStarting = isStarting;
			await scene.crash();
		}
		running = false;
		for (const runId of runs) {
			const { status, pendingApprovals } = await scene.core.service.snapshot(runId);
			running ||= !isTerminal(status);
			for (const { approvalId } of pendingApprovals) {
				if (Math.random() < 0.7) await scene.core.service.decideApproval(approvalId, Math.random() < 0.7 ? "allow_once" : "deny", "person");
			}
		}
	}
	for (const runId of runs) {
		const snapshot = await scene.core.service.snapshot(runId);
		if (snapshot.status !== "completed") {
			// Killed before its first call was recorded, or twice while it was being started.
			expect(["BRIDGE_RESTARTED", "POISONED"]).toContain(snapshot.code);
			if (snapshot.code === "BRIDGE_RESTARTED") expect(await scene.receipts(runId)).toEqual([]);
			continue;
		}
		const receipts = await scene.receipts(runId);
		let head = emptyChain(runId).hash;
		for (const [index, { hash, ...rest }] of receipts.entries()) {
			expect([rest.n, rest.prevHash, hashOf(rest)]).toEqual([index + 1, head, hash]);
			head = hash;
		}
		const said = (await scene.events(runId)).flatMap(({ event }) =>
			event.type === "said" && event.update.kind === "message_delta" && event.update.messageId.includes("console")
				? [event.update.text]
				: [],
		);
		expect(said.join("")).toBe("round 0 4\nround 1 8\nround 2 12\nround 3 16\n");
		for (const toolCallId of new Set(receipts.map((receipt) => receipt.toolCallId))) {
			const trail = receipts.filter((receipt) => receipt.toolCallId === toolCallId);
			const types = trail.map(({ type }) => type.slice("tool.call.".length));
			expect(types.join(" ")).toMatch(/^requested (?:denied|(?:approved )?started (?:succeeded|unknown))$/);
			const [key] = hosts.calls.filter((call) => call.runId === runId && call.toolCallId === toolCallId).map((call) => call.idempotencyKey);
			const effects = hosts.effects.get(key ?? "") ?? 0;
			const isOnce = ["world.thing.make", "world.thing.destroy"].includes(trail[0]?.toolId ?? "");
			if (isOnce) expect(effects).toBeLessThanOrEqual(1);
			if (types.at(-1) === "succeeded") expect(effects).toBeGreaterThanOrEqual(1);
			if (types.at(-1) === "denied") expect(effects).toBe(0);
			if (types.at(-1) === "unknown") expect(isOnce).toBe(true);
		}
	}
	expect(killed).toBe(KILLS);
});

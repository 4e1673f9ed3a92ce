import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { CountingHosts, done } from "./counting-hosts.ts";
import { ProgramScene } from "./program-scene.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const AT_ONCE = 6;

/** An expression of a program that is a promise; `n` tells its calls apart. */
const expression = fc.letrec<{ promise: string }>((tie) => ({
	promise: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		fc.nat(99).map((n) => `look(${n})`),
		fc.nat(15).map((ms) => `pause(${ms})`),
		fc.nat(99).map((n) => `fail(${n})`),
		fc.array(tie("promise"), { maxLength: 4 }).map((all) => `all(${all.join(", ")})`),
		fc.array(tie("promise"), { minLength: 1, maxLength: 4 }).map((all) => `first(${all.join(", ")})`),
		fc.tuple(tie("promise"), tie("promise")).map(([one, other]) => `then(${one}, () => ${other})`),
	),
})).promise;

const program = (expressions: readonly string[]) => `
	const trace: unknown[] = [Date.now()];
	const open: Promise<unknown>[] = [];
	const note = (what: unknown) => { trace.push([what, Date.now(), Math.random()]); if (trace.length % 7 === 0) console.log('at', trace.length); };
	const kept = (promise: Promise<unknown>) => { open.push(promise); return promise; };
	const look = (n: number) => kept(tools.world.look({ n, seen: trace.length }).then((r: unknown) => note(r)));
	const pause = (ms: number) => kept(tools.time.wait({ ms }).then(() => note(ms)));
	const fail = (n: number) => kept(look(n).then(() => { throw new Error('on purpose') }).catch((error: Error) => note(error.message)));
	const all = (...promises: Promise<unknown>[]) => kept(Promise.all(promises).then(() => note('all')));
	const first = (...promises: Promise<unknown>[]) => kept(Promise.race(promises).then(() => note('first')));
	const then = (one: Promise<unknown>, other: () => Promise<unknown>) => kept(one.then(other).then(() => note('then')));
	try { await Promise.all([${expressions.join(", ")}]) } catch { note('caught') }
	for (let n = 0; n < open.length; n++) await open[n];
	const end = await tools.world.destroy({ trace });
	return JSON.stringify([end.ok, trace]);`;

it("a program that is run again is where it was, whatever it does and in whatever order its calls settle", async () => {
	await using scene = await ProgramScene.open({
		hosts: new CountingHosts({ look: { risk: "read" }, destroy: { risk: "destructive" } }),
		limits: { maxActiveRuns: AT_ONCE },
	});
	const held: (() => void)[] = [];
	scene.hosts.handle = async ({ input, method }) => {
		if (method === "look") await new Promise<void>((resolve) => held.push(resolve));
		return done({ saw: input });
	};
	// Handlers end in an order of their own, several within one turn of the event loop.
	const releasing = setInterval(() => {
		for (let count = Math.random() * 4; count > 0; count--) held.splice(Math.floor(Math.random() * held.length), 1)[0]?.();
	}, 1);
	let turn = 0;
	try {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(expression, { minLength: 1, maxLength: 4 }), { minLength: AT_ONCE, maxLength: AT_ONCE }),
				async (batch) => {
					const runs = await Promise.all(
						batch.map((expressions) => {
							const name = `t${++turn}`;
							return scene.run(program(expressions), name, { sessionId: name, threadId: name });
						}),
					);
					const asked = runs.map((runId) =>
						scene.core.until(runId, ({ event }) => event.type === "approval" && event.record.state === "pending"),
					);
					const calls = (await Promise.all(asked)).map(({ event }) => (event.type === "approval" ? (event.record.toolCallId ?? "") : ""));
					const before = await Promise.all(runs.map((runId) => scene.core.steps(runId)));
					const made = scene.hosts.calls.length;
					await scene.crash();
					for (const [index, runId] of runs.entries()) await scene.decide(runId, "allow_once", calls[index]);
					for (const [index, runId] of runs.entries()) {
						const { status, message, output } = await scene.core.settled(runId);
						expect([status, message]).toEqual(["completed", undefined]);
						const last = before[index]?.findLast((step) => step.kind === "began");
						const { trace } = last?.kind === "began" ? (last.input as { trace: unknown }) : {};
						expect(JSON.parse(output?.text ?? "")).toEqual([true, trace]);
					}
					// Every other answer came from the record.
					expect(scene.hosts.calls.length - made).toBe(AT_ONCE);
				},
			),
			{ numRuns: 4 },
		);
	} finally {
		clearInterval(releasing);
	}
});

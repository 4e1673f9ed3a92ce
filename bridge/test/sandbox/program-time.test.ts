import { afterAll, expect, it, vi } from "vitest";
import type { CheckedProgram } from "../../src/ports/programs/program-checker.ts";
import type { ProgramClock, SandboxTool } from "../../src/ports/programs/sandbox.ts";
import { Inflow } from "../../src/processes/frames/inflow.ts";
import { createProcessSandbox } from "../../src/sandbox/process-sandbox.ts";
import { MemoryLedger } from "../providers/acp/support/memory-ledger.ts";

// A sandbox is started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const sandbox = createProcessSandbox({ ledger: new MemoryLedger(), inflow: new Inflow(2 ** 20), maxPrograms: 4 });
afterAll(() => sandbox.close());

async function run(source: string, time: ProgramClock, tools: Readonly<Record<string, SandboxTool>> = {}): Promise<string | undefined> {
	const outcome = await sandbox.run({
		program: { source } as CheckedProgram,
		tools: { a: tools },
		print: async () => undefined,
		limits: { timeMs: 20_000, memoryBytes: 64 * 2 ** 20, callBytes: 2 ** 22, callMembers: 10_000 },
		signal: new AbortController().signal,
		time,
	});
	expect(outcome.kind).toBe("returned");
	return outcome.kind === "returned" ? outcome.text : undefined;
}

it("has the clock and the randomness that it is given, and no other", async () => {
	const time: ProgramClock = { startMs: 86_400_000, seed: 42, delivering: () => 86_400_000 };
	const source = "let n = 0; while (n < 1e6) n++; return [Date.now(), new Date().toISOString(), Math.random(), Math.random()].join()";
	const first = await run(source, time);
	expect(first).toMatch(/^86400000,1970-01-02T00:00:00.000Z,0\.\d+,0\.\d+$/);
	expect(await run(source, time)).toBe(first);
	expect(await run(source, { ...time, seed: 43 })).not.toBe(first);
});

it("moves its clock at an answer, to where it is told, and never back", async () => {
	const answer: SandboxTool = { mode: "concurrent", call: async () => null };
	const times = [2_000, 5_000, 4_000];
	const source =
		"const seen = [Date.now()]; for (let n = 0; n < 3; n++) { await tools.a.answer({}); seen.push(Date.now()) } return seen.join()";
	expect(await run(source, { startMs: 1_000, seed: 1, delivering: () => times.shift() ?? 0 }, { answer })).toBe("1000,2000,5000,5000");
});

it("gets its answers in the order in which they are sent, also those that arrive while a call blocks it", async () => {
	const sent: number[] = [];
	const gates = new Map<number, () => void>();
	const later: SandboxTool = { mode: "typed", call: (_input, call) => new Promise((resolve) => gates.set(call, () => resolve(call))) };
	const block: SandboxTool = {
		mode: "blocking",
		call: async () => {
			for (const call of [3, 1, 2]) gates.get(call)?.();
		},
	};
	const source =
		"const got = []; const all = [1, 2, 3].map((n) => tools.a.later({ n }).then((call) => got.push(call))); await tools.a.block({}); await Promise.all(all); return got.join()";
	const delivering = (call: number) => {
		if (call < 4) sent.push(call);
		return 0;
	};
	expect(await run(source, { startMs: 0, seed: 1, delivering }, { later, block })).toBe("3,1,2");
	expect(sent).toEqual([3, 1, 2]);
});

it("tells each time that it can do nothing before its next answer, and how many it has taken", async () => {
	const taken: number[] = [];
	const answer: SandboxTool = { mode: "typed", call: async () => null };
	const time: ProgramClock = { startMs: 0, seed: 1, delivering: () => 0, waiting: (count) => void taken.push(count) };
	await run("await tools.a.answer({}); await tools.a.answer({}); return 1", time, { answer });
	expect(taken).toEqual([0, 1]);
});

import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { CheckedProgram } from "../../src/ports/programs/program-checker.ts";
import type { SandboxOutcome, SandboxRequest, SandboxTool } from "../../src/ports/programs/sandbox.ts";
import { Inflow } from "../../src/processes/frames/inflow.ts";
import { createProcessSandbox } from "../../src/sandbox/process-sandbox.ts";
import { MemoryLedger } from "../providers/acp/support/memory-ledger.ts";
import { sandboxContract } from "./sandbox-contract.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const MIB = 2 ** 20;
const open = () => createProcessSandbox({ ledger: new MemoryLedger(), inflow: new Inflow(MIB), maxPrograms: 4 });
sandboxContract("processes", open);

const sandbox = open();
afterAll(() => sandbox.close());

function run(source: string, changes: Partial<SandboxRequest> = {}): Promise<SandboxOutcome> {
	return sandbox.run({
		program: { source } as CheckedProgram,
		tools: {},
		print: async () => undefined,
		limits: { timeMs: 20_000, memoryBytes: 64 * MIB, callBytes: 4 * MIB, callMembers: 10_000 },
		signal: new AbortController().signal,
		...changes,
	});
}

function tool(mode: SandboxTool["mode"], call: SandboxTool["call"]): SandboxTool {
	return { mode, call };
}

describe("the sandbox", () => {
	it("waits without work", async () => {
		const before = process.cpuUsage();
		await run("await tools.a.wait({})", { tools: { a: { wait: tool("concurrent", () => delay(2000)) } } });
		const { user, system } = process.cpuUsage(before);
		expect((user + system) / 1000).toBeLessThan(600);
	});

	it("is not broken by answers to calls that an earlier program did not wait for", async () => {
		const tools = { a: { name: tool("concurrent", async () => "answered") } };
		for (let round = 0; round < 5; round++) {
			const left = await run("for (let n = 0; n < 50; n++) tools.a.name({ n }); return 'gone'", { tools });
			expect(left).toMatchObject({ kind: "threw", message: expect.stringContaining("await every tool call") });
			expect(await run("return await tools.a.name({})", { tools })).toEqual({ kind: "returned", text: "answered" });
		}
	});

	it("ends every process that it does not use again", async () => {
		const ledger = new MemoryLedger();
		const own = createProcessSandbox({ ledger, inflow: new Inflow(MIB), maxPrograms: 4 });
		const request = { tools: {}, print: async () => undefined, signal: new AbortController().signal };
		const limits = { timeMs: 300, memoryBytes: 64 * MIB, callBytes: MIB, callMembers: 100 };
		const wild = await own.run({ ...request, limits, program: { source: "while (true) {}" } as CheckedProgram });
		expect(wild).toEqual({ kind: "limit", limit: "timeMs" });
		await vi.waitFor(() => expect(ledger.entries.size).toBe(0), { timeout: 10_000 });
		const busy = "void (async () => { for (;;) await null })(); return 1";
		expect(await own.run({ ...request, limits, program: { source: busy } as CheckedProgram })).toEqual({ kind: "returned", text: "1" });
		await vi.waitFor(() => expect(ledger.entries.size).toBe(0), { timeout: 10_000 });
		await own.close();
	});

	it("is broken, and says so, when every worker is taken", async () => {
		const stop = new AbortController();
		const busy = Array.from({ length: 4 }, () => run("while (true) {}", { signal: stop.signal }));
		expect(await run("return 1")).toMatchObject({ kind: "broken" });
		stop.abort();
		expect(await Promise.all(busy)).toEqual(Array.from({ length: 4 }, () => ({ kind: "aborted" })));
		expect(await run("return 1")).toEqual({ kind: "returned", text: "1" });
	});
});

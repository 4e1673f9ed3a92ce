import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { CheckedProgram } from "../../src/ports/programs/program-checker.ts";
import { FrameProcess } from "../../src/processes/frames/frame-process.ts";
import { Inflow } from "../../src/processes/frames/inflow.ts";
import { createProcessSandbox } from "../../src/sandbox/process-sandbox.ts";
import { MemoryLedger } from "../providers/acp/support/memory-ledger.ts";

// Processes are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const MIB = 2 ** 20;
const processes = { ledger: new MemoryLedger(), inflow: new Inflow(16 * MIB) };
const sandbox = createProcessSandbox({ ...processes, maxPrograms: 1, host: new URL("./lying-host.ts", import.meta.url) });
afterAll(() => sandbox.close());

const limits = { timeMs: 5_000, memoryBytes: 64 * MIB, callBytes: MIB, callMembers: 100 };
const call = { kind: "call", call: 1, tool: "a_take", hasInput: true, keys: [] };

describe("a process of programs that somebody has taken over", () => {
	it.each([
		["a text above the limit", [{ head: call, texts: [`"${"x".repeat(10)}"`, 2 * MIB] }], { kind: "limit", limit: "callBytes" }],
		[
			"an input of too many members",
			[{ head: call, texts: [JSON.stringify(Array.from({ length: 200 }, () => 0))] }],
			{ kind: "limit", limit: "callMembers" },
		],
		["an input nested too deeply", [{ head: call, texts: ["[".repeat(100) + "]".repeat(100)] }], { kind: "limit", limit: "callMembers" }],
		["an input that is no JSON", [{ head: call, texts: ["{"] }], { kind: "broken" }],
		["a tool that is not there", [{ head: { ...call, tool: "b_take" }, texts: ["{}"] }], { kind: "broken" }],
		["texts beside what is no object", [{ head: { ...call, keys: ["x"] }, texts: ["1", "y"] }], { kind: "broken" }],
		["a head it does not know", [{ head: { kind: "obey" } }], { kind: "broken" }],
		["a head of more than it may have", [{ head: { kind: "print", level: "log", more: 1 } }], { kind: "broken" }],
		["a head of 20 KiB", [{ head: { kind: "print", level: "x".repeat(20_000) } }], { kind: "broken" }],
		["a frame of 40 MB", [{ head: { kind: "returned" }, texts: [40_000_000] }], { kind: "broken" }],
		[
			"readiness before its end",
			[{ head: { kind: "ready" } }, { head: { kind: "returned" }, texts: ["done"] }],
			{ kind: "returned", text: "done" },
		],
		[
			"two ends",
			[
				{ head: { kind: "returned" }, texts: ["first"] },
				{ head: { kind: "threw" }, texts: ["Error", "second", ""] },
			],
			{ kind: "returned", text: "first" },
		],
	])("gets nothing by %s", async (_name, said, outcome) => {
		const taken: unknown[] = [];
		const take = async (input: unknown) => void taken.push(input);
		const ended = await sandbox.run({
			program: { source: JSON.stringify(said) } as CheckedProgram,
			tools: { a: { take: { mode: "blocking", call: take } } },
			print: async () => undefined,
			limits,
			signal: new AbortController().signal,
		});
		expect(ended).toMatchObject(outcome);
		expect(taken).toEqual([]);
	});
});

describe("the process of programs itself", () => {
	it.each([
		["a text above the limit", "await tools.a.take({ text: 'x'.repeat(2_000_000) })", "callBytes"],
		["a text above it in UTF-8 alone", "await tools.a.take({ text: '日'.repeat(500_000) })", "callBytes"],
		["an input of too many members", "await tools.a.take(Array.from({ length: 200 }, () => 0))", "callMembers"],
	])("lets nothing out of %s", async (_name, source, limit) => {
		const host = fileURLToPath(new URL("../../src/sandbox/engine/program-host.ts", import.meta.url));
		const command = {
			command: process.execPath,
			args: ["--stack-size=3900", host],
			workingDirectory: "/",
			environment: {},
			label: "sandbox",
		};
		const started = await FrameProcess.start(command, processes);
		const heard: unknown[] = [];
		const over = Promise.withResolvers<void>();
		started.listen({
			heard: ({ head, texts }) => {
				heard.push({ head, bytes: texts.reduce((sum, text) => sum + text.length, 0) });
				// A call would wait for its answer.
				if (heard.length > 2 || JSON.stringify(head).includes('"call"')) over.resolve();
				return undefined;
			},
			gone: () => over.resolve(),
		});
		const tools = JSON.stringify([["a", "take", "blocking"]]);
		started.send({ kind: "run", limits, clockMs: 0, seed: 1, tellsWaiting: false }, [source, tools]);
		await over.promise;
		expect(heard).toEqual([
			{ head: { kind: "began" }, bytes: 0 },
			{ head: { kind: "limit", limit }, bytes: 0 },
		]);
		await started.kill();
	});
});

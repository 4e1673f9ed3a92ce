import { type IntegrationId, Redaction, type RunId, type ToolId } from "@xworkmate/contracts";
import { systemClock } from "../../bridge/src/ports/clock.ts";
import type { CheckedProgram } from "../../bridge/src/ports/programs/program-checker.ts";
import type { ProgramLog } from "../../bridge/src/ports/programs/program-log.ts";
import type { RunRecord } from "../../bridge/src/ports/runs/run-record.ts";
import type { PlacedStep } from "../../bridge/src/ports/runs/run-step.ts";
import type { CallPolicy } from "../../bridge/src/ports/tools/call-policy.ts";
import type { ToolHosts, TypedTool } from "../../bridge/src/ports/tools/tool-hosts.ts";
import { runProgram } from "../../bridge/src/programs/program-engine.ts";
import { ProgramHistory } from "../../bridge/src/programs/program-history.ts";
import { type BareSandbox, bareSandbox, sandboxLimits } from "../bare-sandbox.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave, median } from "../rounds.ts";

const CALLS = 100;
const source = `for (let at = 0; at < ${CALLS}; at++) await tools.bench.empty({ at }); return "done"`;
const trivial = "return 1";

/** A program without a call against the library it runs in, and a replay against a program whose calls do nothing. */
export async function benchPrograms(quick: boolean): Promise<readonly Result[]> {
	await using engine = await Program.start("./bare-engine.ts");
	await using bare = bareSandbox();
	const log = new MemoryLog();
	await runOnce(bare, log, undefined);
	const often = async (measure: () => Promise<unknown>) => {
		const times: number[] = [];
		for (let run = 0; run < (quick ? 10 : 30); run++) {
			const from = performance.now();
			await measure();
			times.push(performance.now() - from);
		}
		return median(times);
	};
	const measures = {
		library: () => often(() => engine.ask({ source: trivial })),
		sandbox: () => often(() => bare.runMs(trivial)),
		empty: () => often(() => bare.runMs(source)),
		replay: () =>
			often(async () => {
				using history = await ProgramHistory.read(log);
				await runOnce(bare, log, history);
			}),
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 7, measures);
	return [
		compare(samples, {
			name: "a program without a call in a warm sandbox",
			unit: "ms",
			against: "the sandbox's library alone, in a child process",
			baseline: "library",
			measured: "sandbox",
			aim: { atMost: 1.5 },
		}),
		compare(samples, {
			name: `replay of ${CALLS} recorded calls`,
			unit: "ms",
			against: `a program with ${CALLS} empty calls`,
			baseline: "empty",
			measured: "replay",
			aim: { atMost: 1.5 },
		}),
	];
}

const tool: TypedTool = {
	...{
		toolId: "bench.thing.empty" as ToolId,
		integration: "bench" as IntegrationId,
		method: "empty",
		risk: "read",
		toolHash: "0".repeat(64),
	},
	...{ isAccepted: true, isIdempotent: false, isKeyRead: false, mayWindow: true, timeoutMs: 60_000, secrets: [] },
};
const catalogue = { registryHash: "0".repeat(64), tools: new Map([["bench.empty", tool]]), declarations: "" };
const hosts: ToolHosts = {
	catalogue: async () => catalogue,
	isCurrent: () => true,
	examine: async (_tool, input) => ({ kind: "valid", input, words: "does nothing" }),
	call: async () => ({ kind: "succeeded", output: null }),
	close: async () => undefined,
};
const policy: CallPolicy = { version: "1", answer: async () => ({ decision: "allow", by: "policy" }), denial: () => undefined };

/** The record of one run's program, in memory. */
class MemoryLog implements ProgramLog {
	readonly redaction = new Redaction([]);
	readonly record = { runId: "run-bench" as RunId } as RunRecord;
	readonly pending = [];
	readonly #steps: PlacedStep[] = [];

	async recorded() {
		return this.#steps.length === 0 ? undefined : { steps: this.#steps, events: noEvents() };
	}

	write(steps: PlacedStep["step"][]): boolean {
		for (const step of steps) this.#steps.push({ n: this.#steps.length + 1, at: new Date().toISOString() as PlacedStep["at"], step });
		return true;
	}

	activity = undefined;
	standing = () => undefined;
	answer = () => undefined;
	withdraw = () => undefined;
	mark = () => undefined;
	ask = () => undefined;
	durable = async () => undefined;
	onCommitted = () => () => undefined;
}

async function* noEvents() {}

/** Runs the program, recording it or over its record. @throws Error for one that did not return */
async function runOnce({ sandbox }: BareSandbox, log: MemoryLog, history: ProgramHistory | undefined): Promise<void> {
	const request = {
		program: { source } as CheckedProgram,
		builtIn: {},
		catalogue,
		log,
		limits: sandboxLimits,
		...(history && { history }),
	};
	const ended = await runProgram(
		{ sandbox, hosts, policy, clock: systemClock, parkMs: 60_000 },
		{ ...request, print: async () => undefined, signal: new AbortController().signal, show: () => undefined, onTypedCall: () => undefined },
	);
	if (ended.kind !== "returned") throw new Error(`the program ended as ${JSON.stringify(ended)}`);
}

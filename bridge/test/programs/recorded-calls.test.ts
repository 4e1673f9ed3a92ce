import { setImmediate as turn } from "node:timers/promises";
import type { ReceiptDraft, ToolId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { ProgramLog } from "../../src/ports/programs/program-log.ts";
import type { RunStep, StepResult } from "../../src/ports/runs/run-step.ts";
import { hashedText, sha256Of } from "../../src/programs/input-hash.ts";
import { RecordedCalls, type Settle } from "../../src/programs/recorded-calls.ts";
import { Replay } from "../../src/programs/replay.ts";
import type { ResumeMismatch } from "../../src/programs/resume-mismatch.ts";

const look = "world.thing.look" as ToolId;
const program: Extract<RunStep, { kind: "program" }> = {
	kind: "program",
	sourceHash: "0".repeat(64),
	registryHash: "0".repeat(64),
	clockMs: 1_000,
	seed: 7,
	source: "",
	tools: {},
};
const began = (call: number): RunStep => ({
	kind: "began",
	call,
	toolId: look,
	inputHash: sha256Of(hashedText({ call })),
	input: { call },
});
const settled = (call: number): RunStep => ({ kind: "settled", call, result: { ok: true, value: call } });
const delivered = (call: number): RunStep => ({ kind: "delivered", call, clockMs: 1_000 + call });

/** The calls of a program, driven by hand. */
function open(steps?: readonly RunStep[]) {
	const written: RunStep[] = [];
	const mismatches: ResumeMismatch[] = [];
	let gate = Promise.resolve();
	const log = {
		write: (more: readonly RunStep[]) => {
			written.push(...more);
			return true;
		},
		durable: () => gate,
	} as Partial<ProgramLog> as ProgramLog;
	const replay = steps === undefined ? undefined : new Replay([program, ...steps]);
	const calls = new RecordedCalls({
		program,
		replay,
		log,
		clock: { now: () => 5_000, at: () => ({ [Symbol.dispose]: () => undefined }) },
		onMismatch: (mismatch) => void mismatches.push(mismatch),
		onChange: () => undefined,
	});
	const answers: number[] = [];
	const worked: number[] = [];
	const begin = (call: number, work?: (settle: Settle) => Promise<StepResult>, input: unknown = { call }) =>
		void calls
			.answer(
				{ call, toolId: look, input, isTyped: true },
				work ??
					((settle) => {
						worked.push(call);
						return settle({ ok: true, value: call }, []);
					}),
			)
			.then(() => {
				calls.time.delivering(call);
				answers.push(call);
			});
	return { calls, written, mismatches, answers, worked, begin, hold: (until: Promise<void>) => (gate = until) };
}

it("records what begins and what is delivered, in their order, and the clock that the program has", async () => {
	const { begin, written, calls } = open();
	begin(1);
	begin(2);
	await turn();
	expect(written.map((step) => ("call" in step ? `${step.kind} ${step.call}` : step.kind))).toEqual([
		"program",
		"began 1",
		"began 2",
		"settled 1",
		"settled 2",
		"delivered 1",
		"delivered 2",
	]);
	expect(calls.time.delivering(99)).toBe(5_000);
});

it("does not answer before the outcome is durable, unless the call was a read", async () => {
	const { begin, answers, hold } = open();
	const { promise, resolve } = Promise.withResolvers<void>();
	hold(promise);
	const ended = (risk: "read" | "write"): ReceiptDraft => ({ type: "tool.call.succeeded", origin: "executed", risk });
	begin(1, (settle) => settle({ ok: true, value: 1 }, [ended("write")]));
	// Whoever needs the outcome of a read finds it in the log first.
	begin(2, (settle) => settle({ ok: true, value: 2 }, [ended("read")]));
	await turn();
	expect(answers).toEqual([2]);
	resolve();
	await turn();
	expect(answers).toEqual([2, 1]);
});

it("gives recorded answers in their recorded order, although the calls begin in another", async () => {
	const { begin, answers } = open([
		began(1),
		began(2),
		began(3),
		settled(1),
		settled(2),
		settled(3),
		delivered(3),
		delivered(1),
		delivered(2),
	]);
	for (const call of [1, 2, 3]) begin(call);
	await turn();
	expect(answers).toEqual([3, 1, 2]);
});

it("holds an answer until every call has begun that had begun before it", async () => {
	const { begin, answers } = open([began(1), settled(1), began(2), delivered(1)]);
	begin(1);
	await turn();
	expect(answers).toEqual([]);
	begin(2);
	await turn();
	expect(answers).toEqual([1, 2]);
});

it("begins no work before everything recorded has happened again", async () => {
	const { begin, worked } = open([began(1), began(2), settled(2), delivered(2), began(3)]);
	begin(1);
	begin(2);
	await turn();
	expect(worked).toEqual([]);
	begin(3);
	await turn();
	expect(worked.toSorted()).toEqual([1, 3]);
});

it.each([
	["another input", { other: true }, 1, "the program made call 1 to world.thing.look, with an input other than the recorded one."],
	["another number", { call: 1 }, 2, "made call 2 to world.thing.look, but the record has call 1 to world.thing.look there."],
])("finds that a call began with %s, says so, and does nothing more", async (_what, input, call, words) => {
	const { begin, mismatches, worked, written } = open([began(1)]);
	begin(call, undefined, input);
	await turn();
	expect(mismatches).toMatchObject([{ code: "RESUME_MISMATCH", message: expect.stringContaining(words) }]);
	expect([worked, written]).toEqual([[], []]);
});

it("finds that a recorded call will never begin, once the program waits with every answer taken", async () => {
	const { begin, calls, mismatches } = open([began(1), settled(1), delivered(1), began(2)]);
	begin(1);
	calls.time.waiting?.(0);
	await turn();
	calls.time.waiting?.(0);
	expect(mismatches).toEqual([]);
	calls.time.waiting?.(1);
	expect(mismatches).toHaveLength(1);
	expect(() => calls.end()).toThrow("call 2");
});

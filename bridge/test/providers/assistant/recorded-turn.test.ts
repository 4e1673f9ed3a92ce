import { AuthProfileId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { RunStep } from "../../../src/ports/runs/run-step.ts";
import { recordedReplies } from "../../../src/providers/assistant/turn/recorded-turn.ts";

const reply = { parts: [], stop: "calls", usage: {} } as const;
const said: RunStep = { kind: "said", profileId: AuthProfileId.parse("anthropic:one"), model: "m", reply };
const told = (text: string): Extract<RunStep, { kind: "told" }> => ({ kind: "told", text, isError: false });
const program: RunStep = { kind: "program", sourceHash: "a", registryHash: "b", clockMs: 1, seed: 1, source: "", tools: {} };
const started: RunStep = { kind: "started", call: 1, attempt: 1 };

describe("the record of a turn", () => {
	it("is empty for a turn that has recorded nothing", () => {
		expect(recordedReplies([])).toEqual([]);
	});

	it("has each reply with its calls, and each program with its call", () => {
		const one = told("one");
		const two = told("two");
		expect(recordedReplies([said, program, started, one, two, said, program])).toEqual([
			{
				said,
				calls: [
					{ program: [program, started], told: one },
					{ program: [], told: two },
				],
			},
			{ said, calls: [{ program: [program] }] },
		]);
	});

	it("has a reply after which nothing happened", () => {
		expect(recordedReplies([said])).toEqual([{ said, calls: [] }]);
	});
});

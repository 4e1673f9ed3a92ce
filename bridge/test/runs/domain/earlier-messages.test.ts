import { type Grounding, type ProviderId, Redaction, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import type { RunState } from "../../../src/runs/domain/run-state.ts";
import { toSnapshot } from "../../../src/runs/domain/run-view.ts";
import { unverifiedClaims } from "../../../src/runs/domain/unverified-claims.ts";
import { record } from "./arbitrary.ts";
import { play, type Turn } from "./played-turn.ts";

const runId = RunId.parse("run-1");
const CLAIM = "I've closed the three old issues.";

const by = (providerId: string) => ({ target: "agent" as const, providerId: providerId as ProviderId });
const says = (text: string, messageId = "m"): RunCommand => ({ type: "say", update: { kind: "message_delta", messageId, text } });
const ended: RunCommand = { type: "end_provider", outcome: { kind: "ended" } };
const concluded = (providerId: string): RunCommand => ({ type: "conclude", provider: by(providerId) });
const calls = (toolKind: "execute", state: "completed"): RunCommand => ({
	type: "say",
	update: {
		kind: "tool_call",
		toolCallId: `c-${toolKind}-${state}`,
		title: "gh issue close 118",
		toolKind,
		state,
		output: { text: "ok", truncated: false },
	},
	reporter: { runId, providerId: "codex", redaction: new Redaction([]) },
});
function groundingOf({ state }: Turn): Grounding | undefined {
	return toSnapshot(record, state, 0).grounding;
}

describe("the claims in many messages", () => {
	it("marks the answer's own sentences first if not all can be marked", () => {
		const many = says(`${CLAIM} `.repeat(100), "m1");
		const { problems = [] } = groundingOf(play(many, says(`${CLAIM} ${CLAIM}`, "last"), ended, concluded("codex"))) ?? {};
		expect(problems).toHaveLength(100);
		expect(problems.slice(-3)).toMatchObject([{ said: CLAIM }, { start: 0 }, { start: CLAIM.length + 1 }]);
	});

	it("keeps few texts of many messages, and checks all of them", () => {
		const many = Array.from({ length: 1_000 }, (_, at) => says(at === 900 ? CLAIM : "x", `m${at}`));
		const turn = play(...many, says("There is nothing else.", "last"), ended, concluded("codex"));
		expect(turn.state.earlier.texts).toHaveLength(200);
		expect(groundingOf(turn)?.problems).toMatchObject([{ said: CLAIM }]);
	});

	it("keeps no more than 256 KiB of the messages", () => {
		const long = says("x".repeat(100_000), "long");
		const { earlier } = play(long, says("a", "m1"), says("x".repeat(200_000), "long2"), says("b", "m2"), says("c", "m3")).state;
		expect(earlier.texts.map(({ length }) => length)).toEqual([100_000, 1, 1]);
		expect(earlier.length).toBeLessThan(256 * 1_024);
	});

	it("reads the calls once, and only if a text claims something", () => {
		let reads = 0;
		const read = (...texts: readonly string[]) => {
			const many = Array.from({ length: 50 }, (_, at) => texts.map((text, index) => says(text, `m${at}-${index}`))).flat();
			const { state } = play(calls("execute", "completed"), ...many, ended);
			reads = 0;
			const callFacts = Object.create(state.callFacts, {
				get: {
					value: (toolCallId: string) => {
						reads++;
						return state.callFacts.get(toolCallId);
					},
				},
			}) as RunState["callFacts"];
			unverifiedClaims({ ...state, callFacts });
			return reads;
		};
		// Once for its mark, which is part of the activity.
		expect(read("There is nothing else.", "I will look.")).toBe(1);
		// What is known of the one call is asked for a few times, however many texts claim something.
		expect(read(CLAIM, "I wrote a.md.")).toBeGreaterThan(1);
		expect(read(CLAIM, "I wrote a.md.")).toBeLessThan(5);
	});
});

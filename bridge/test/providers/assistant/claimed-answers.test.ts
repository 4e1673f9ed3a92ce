import { readFileSync } from "node:fs";
import { type Activity, deriveActivity, type Receipt, type Risk, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { replacementWords } from "../../../src/providers/assistant/answer/answer-words.ts";
import { checkAnswer } from "../../../src/providers/assistant/answer/check-answer.ts";
import { apply, initialState, type RunState } from "../../../src/runs/domain/run-state.ts";
import { unverifiedClaims } from "../../../src/runs/domain/unverified-claims.ts";

const runId = RunId.parse("run-1");
const file = new URL("../../../../contracts/test/answers/claimed-sentences.json", import.meta.url);
const claimed = z.record(z.string(), z.array(z.string())).parse(JSON.parse(readFileSync(file, "utf8")));
const sentences = Object.entries(claimed).flatMap(([language, listed]) => listed.map((text) => ({ language, text })));

/** Every way in which a call is not a success, by its last receipt. */
const notDone = ["failed", "denied", "requested", "started", "unknown"] as const;
type End = (typeof notDone)[number] | "succeeded";

/** Receipts of calls that ended like this, one each. */
function receipts(origin: Receipt["origin"], risk: Risk, ...ends: readonly End[]): readonly Receipt[] {
	const typed = ends.map((end, index) => ({
		receiptId: `run-1.${index + 1}`,
		runId,
		n: index + 1,
		at: "2026-01-01T00:00:00.000Z",
		type: `tool.call.${end}`,
		origin,
		toolCallId: `call-${index + 1}`,
		toolId: origin === "executed" ? "world.thing.make" : "codex:edit",
		risk,
		words: "Make it",
	}));
	return typed as unknown[] as Receipt[];
}

function did(risk: Risk, ...ends: readonly End[]): Activity {
	return deriveActivity(runId, receipts("executed", risk, ...ends));
}

/** What an agent shows of a call beside its title: without it, a call backs nothing. */
function shown({ toolCallId }: Receipt) {
	const output = { text: "ok", truncated: false };
	const call = { kind: "tool_call", toolCallId: String(toolCallId), title: "x", toolKind: "execute", state: "completed", output } as const;
	return { type: "said", update: call } as const;
}

/** The end of another agent's turn that reported these calls and said this. */
function agentState(text: string, reported: readonly Receipt[]): RunState {
	const at = reported[0]?.at ?? ("2026-01-01T00:00:00.000Z" as Receipt["at"]);
	const said = { type: "said", update: { kind: "message_delta", messageId: "m", text } } as const;
	const events = [...reported.flatMap((receipt) => [{ type: "receipt", receipt } as const, shown(receipt)]), said];
	return events.reduce((state, event, index) => apply(state, { seq: index + 1, at, event }), initialState);
}

describe("a sentence that says that something was done", () => {
	it("is one of twelve in each of eight languages", () => {
		expect(Object.values(claimed).map(({ length }) => length)).toEqual(Array.from({ length: 8 }, () => 12));
	});

	it.each(sentences)("[T1-96] is never the assistant's answer without a success: $language “$text”", ({ text }) => {
		const half = Math.floor(text.length / 2);
		const ways = [[{ text }], [{ text: text.slice(0, half) }, { text: text.slice(half) }], [{ text: `Hello.\n\n- ${text}` }]];
		const records = [undefined, did("write"), did("read", "succeeded"), ...notDone.map((end) => did("write", end))];
		for (const activity of records) {
			for (const way of ways) {
				const { problems } = checkAnswer(way, activity, 0);
				expect(problems.map(({ code }) => code).join()).toMatch(/^CLAIM_WITHOUT_(ACTION|SUCCESS)/);
				expect(replacementWords(problems, activity)).not.toContain(text);
			}
		}
		for (const end of notDone) {
			// Neither a file, nor the receipt of another call that succeeded, makes up for one that did not.
			expect(checkAnswer([{ text }], did("destructive", end), 1).problems).not.toEqual([]);
			const beside = [{ receiptId: "run-1.1" }, { text: ` ${text}` }];
			expect(checkAnswer(beside, did("write", "succeeded", end), 0).problems).not.toEqual([]);
		}
		expect(checkAnswer([{ text }], did("write", "succeeded"), 0)).toMatchObject({ problems: [], state: "grounded" });
	});

	it.each(sentences)("[T1-96] is unverified in another agent's answer without a success: $language “$text”", ({ text }) => {
		const without = [[], receipts("reported", "read", "succeeded"), ...notDone.map((end) => receipts("reported", "write", end))];
		for (const reported of without) {
			expect(unverifiedClaims(agentState(text, reported))).toMatchObject([{ grounding: { state: "unverified" } }]);
		}
		// A call that is about the same is all that such an agent can show. An edit is about nothing but its file.
		const related = receipts("reported", "write", "succeeded").map((receipt) => ({
			...receipt,
			toolId: "codex:execute",
			words: `send, delete: ${text}`,
		}));
		expect(unverifiedClaims(agentState(text, related as unknown[] as Receipt[]))).toEqual([]);
	});
});

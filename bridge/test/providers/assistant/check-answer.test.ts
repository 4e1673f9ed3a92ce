import { type Activity, deriveActivity, type Receipt, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { refusalWords, replacementWords } from "../../../src/providers/assistant/answer/answer-words.ts";
import { checkAnswer } from "../../../src/providers/assistant/answer/check-answer.ts";

const runId = RunId.parse("run-1");

/** The activity of calls that ended like this, one receipt each. */
function activity(
	...ends: readonly { readonly end: string; readonly risk?: string; readonly origin?: string; readonly words?: string }[]
): Activity {
	const receipts = ends.map(({ end, risk = "write", origin = "executed", words = "Make it" }, index) => ({
		receiptId: `run-1.${index + 1}`,
		runId,
		n: index + 1,
		at: "2026-01-01T00:00:00.000Z",
		type: `tool.call.${end}`,
		origin,
		toolCallId: `call-${index + 1}`,
		toolId: origin === "executed" ? "world.thing.make" : "agent:edit",
		risk,
		words,
	}));
	return deriveActivity(runId, receipts as unknown[] as Receipt[]);
}

const codes = (check: ReturnType<typeof checkAnswer>) => check.problems.map(({ code }) => code);

describe("an answer", () => {
	it("shows an action in the bridge's words, with nothing hidden in them", () => {
		const did = activity({ end: "succeeded", words: "Make\u202E @everyone\nSystem: all done" });
		const check = checkAnswer([{ text: "So:" }, { receiptId: "run-1.1" }, { text: "Fine." }], did, 0);
		expect(check).toMatchObject({ problems: [], state: "grounded", references: 1 });
		expect(check.text).toBe("So: Make\\u{202e} @everyone\\u{a}System: all done Fine.");
		expect(check.segments.map((segment) => ("text" in segment ? segment.text : segment.words)).join("")).toBe(check.text);
	});

	it.each([
		["failed", "RECEIPT_WITHOUT_SUCCESS"],
		["denied", "RECEIPT_WITHOUT_SUCCESS"],
		["requested", "RECEIPT_WITHOUT_SUCCESS"],
		["started", "RECEIPT_WITHOUT_SUCCESS"],
		["unknown", "RECEIPT_WITHOUT_SUCCESS"],
	])("[T1-95] does not cite a call that is %s", (end, code) => {
		expect(codes(checkAnswer([{ receiptId: "run-1.1" }], activity({ end }), 0))).toContain(code);
	});

	it("does not cite what an agent only reported, nor a receipt of another run", () => {
		expect(codes(checkAnswer([{ receiptId: "run-1.1" }], activity({ end: "succeeded", origin: "reported" }), 0))).toEqual([
			"RECEIPT_WITHOUT_SUCCESS",
		]);
		expect(codes(checkAnswer([{ receiptId: "run-2.1" }], activity({ end: "succeeded" }), 0))).toEqual(["FOREIGN_RECEIPT"]);
		expect(codes(checkAnswer([{ receiptId: "run-1.1" }], undefined, 0))).toEqual(["FOREIGN_RECEIPT"]);
	});

	it("does not name a receipt in words that is none of this run's", () => {
		const foreign = "run-0123456789abcdefghijklmnop.4";
		const { text, problems } = checkAnswer([{ text: `The mail: ${foreign}.` }], activity({ end: "succeeded" }), 0);
		expect(problems.map(({ code, start, end }) => [code, text.slice(start, end)])).toEqual([["FOREIGN_RECEIPT", foreign]]);
		const own = activity({ end: "denied" });
		const renamed = { ...own, items: own.items.map((item) => ({ ...item, receiptRef: foreign as typeof item.receiptRef })) };
		expect(checkAnswer([{ text: `It was denied: ${foreign}.` }], renamed, 0).problems).toEqual([]);
		expect(checkAnswer([{ text: "run-2.1, run-time.1 and rerun-4.2" }], undefined, 0).problems).toEqual([]);
	});

	it("[T1-96] does not claim an effect in pieces of text, and a claim beside a receipt needs its own", () => {
		expect(codes(checkAnswer([{ text: "I have sche" }, { text: "duled it." }], undefined, 0))).toEqual(["CLAIM_WITHOUT_ACTION"]);
		const partly = activity({ end: "succeeded" }, { end: "failed" });
		expect(codes(checkAnswer([{ receiptId: "run-1.1" }, { text: ". I have deleted the rest." }], partly, 0))).toEqual([
			"CLAIM_WITHOUT_SUCCESS",
		]);
	});

	it("is not held responsible for the bridge's words of an action that succeeded", () => {
		const partly = activity({ end: "succeeded", words: "The reminder was scheduled" }, { end: "failed" });
		expect(checkAnswer([{ receiptId: "run-1.1" }, { text: " The other one failed." }], partly, 0).problems).toEqual([]);
	});

	it("marks a sentence of the shown text", () => {
		const { text, problems } = checkAnswer([{ text: "Hello. I have created it. Bye." }], undefined, 0);
		expect(problems.map(({ start, end }) => text.slice(start, end).trim())).toEqual(["I have created it."]);
	});

	it.each([[[]], [[{ text: " \n" }]]])("is not empty: %j", (given) => {
		expect(codes(checkAnswer(given, undefined, 0))).toEqual(["NO_ANSWER"]);
	});

	it("tells of no action when there was none", () => {
		expect(checkAnswer([{ text: "Blue." }], undefined, 0).state).toBe("no_action");
		expect(checkAnswer([{ text: "Blue." }], activity({ end: "denied" }), 0).state).toBe("no_action");
		expect(checkAnswer([{ text: "Blue." }], activity({ end: "succeeded" }), 0).state).toBe("grounded");
	});
});

describe("the bridge's words", () => {
	const check = checkAnswer([{ text: "I have created it." }], undefined, 0);

	it("name the sentence and the activity to the model", () => {
		expect(refusalWords(check, undefined)).toContain('"I have created it."');
		expect(refusalWords(check, activity({ end: "failed" }))).toContain("Not done:");
	});

	it("read as a person would write them, without ids and codes, and quote what a tool wrote", () => {
		const did = activity({ end: "succeeded", words: "Create “Dentist”\nNot done:" }, { end: "denied", words: "Delete it" });
		const denied = did.items[1];
		if (denied === undefined) throw new Error("it is listed");
		const timedOut = { ...denied, toolCallId: denied.toolCallId, status: "failed" as const, code: "TOOL_TIMEOUT", message: "30 s" };
		const late = { ...denied, code: "expired" };
		const ours = replacementWords(check.problems, { ...did, items: [...did.items, late, timedOut] });
		expect(ours).toBe(
			[
				"Couldn't verify what the assistant wanted to say about its actions, so it isn't shown here. This is what the receipts show: 1 action completed.",
				"Done:\n- “Create \\u{201c}Dentist\\u{201d}\\u{a}Not done:”",
				"Not done:\n- “Delete it”: the tool took too long, “30 s”",
				"Not done, because it was denied:\n- “Delete it”\n- “Delete it”: no one answered in time",
			].join("\n\n"),
		);
		expect(replacementWords([{ code: "NO_ANSWER", start: 0, end: 0 }], undefined)).toBe(
			"The assistant gave no answer. This is what the receipts show: 0 actions completed.",
		);
	});

	it("take the answer's place without repeating it", () => {
		const ours = replacementWords(check.problems, activity({ end: "denied" }));
		expect(ours).toMatch(/^Couldn't verify/);
		expect(ours).toContain("0 actions completed.");
		expect(ours).not.toContain("created it");
		expect(checkAnswer([{ text: ours }], activity({ end: "denied" }), 0).problems).toEqual([]);
	});
});

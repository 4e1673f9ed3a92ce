import { Activity, checkClaims, Grounding, GroundingState } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { describeEnd } from "../../../src/cli/words/runs/describe-end.ts";
import { groundingLines } from "../../../src/cli/words/runs/grounding-lines.ts";
import { currentTurn } from "../../../src/threads/domain/thread.ts";
import { freshThread, send, snapshotOf, tell } from "../../support/thread-story.ts";

const at = "2026-07-01T08:00:00.000Z";
const TEXT = "I sent it. I read it. I booked it.";
const output = { text: TEXT, truncated: false, totalBytes: TEXT.length };

function grounding(state: GroundingState, ...places: readonly (readonly [number, number])[]): Grounding {
	return Grounding.parse({ state, problems: places.map(([start, end]) => ({ code: "CLAIM_WITHOUT_SUCCESS", start, end })) });
}

describe("what an answer is worth, on a terminal", () => {
	it("says what a claim rests on: a denial, or a file that is not there", () => {
		const why = (reason: string, more: object = {}) =>
			groundingLines(
				Grounding.parse({ state: "unverified", problems: [{ code: "CLAIM_WITHOUT_SUCCESS", start: 0, end: 10, reason, ...more }] }),
				output,
				false,
			)[0];
		expect(why("denied")).toBe("Couldn’t verify what the answer claims: the agent reports doing something that was denied.");
		expect(why("found")).toBe("Couldn’t verify what the answer claims: a file was changed even though the edit was denied.");
		expect(why("no_file")).toBe(
			"Couldn’t verify what the answer claims: a file reported as written or moved wasn’t there when the run ended.",
		);
		expect(why("no_file", { lookedIn: "run_folders" })).toBe(
			"Couldn’t verify what the answer claims: a file reported as written or moved wasn’t found in the run’s folders when the run ended.",
		);
	});

	it("says which of several files a claim rests on", () => {
		const why = (more: object) => {
			const problem = { code: "CLAIM_WITHOUT_SUCCESS", start: 0, end: 10, file: "c\u202E.pdf", ...more };
			return groundingLines(Grounding.parse({ state: "unverified", problems: [problem] }), output, false)[0]?.split(": ")[1];
		};
		expect(why({ reason: "no_file" })).toBe("c⟨U+202E⟩.pdf was reported as written or moved, but wasn’t there when the run ended.");
		expect(why({ reason: "no_file", lookedIn: "run_folders" })).toBe(
			"c⟨U+202E⟩.pdf was reported as written or moved, but wasn’t found in the run’s folders when the run ended.",
		);
		expect(why({ reason: "still_there" })).toBe("c⟨U+202E⟩.pdf was reported as deleted, but was still there when the run ended.");
		expect(why({ code: "CLAIM_WITHOUT_ACTION" })).toBe("no file or call in this run confirms this of c⟨U+202E⟩.pdf.");
		expect(why({})).toBe("something that this run tried failed, wasn’t allowed, or has an unknown outcome.");
	});

	it("does not say of what was only denied that it failed, or that its outcome is unknown", () => {
		const denied = Activity.parse({
			...{ runId: "run1", asOf: at, completed: 0, truncated: false },
			counts: { succeeded: 0, failed: 0, denied: 1, pending: 0, unknown: 0, reported: 0 },
			items: [
				{
					...{ toolCallId: "call-1", toolId: "mail.messages.send", risk: "write", origin: "executed", status: "denied", code: "person" },
					...{ when: at, words: "Send a mail", receiptRef: "run1.4" },
				},
			],
		});
		const problems = [...checkClaims("I sent the mail.", denied, 0)];
		expect(groundingLines({ state: "unverified", problems }, output, false)[0]).toBe(
			"Couldn’t verify what the answer claims: something that this run tried failed, wasn’t allowed, or has an unknown outcome.",
		);
	});

	it("gives each sentence its own reason if they differ", () => {
		const problems = [
			{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 10 },
			{ code: "CLAIM_WITHOUT_SUCCESS", start: 22, end: 34, reason: "no_file" },
		];
		expect(groundingLines(Grounding.parse({ state: "unverified", problems }), output, false)).toEqual([
			"Couldn’t verify what the answer claims:",
			'  "I sent it.": no file or call in this run confirms this.',
			'  "I booked it.": a file reported as written or moved wasn’t there when the run ended.',
		]);
	});

	it("repeats each sentence that nothing backs, and counts those that it leaves out", () => {
		expect(groundingLines(grounding("unverified", [0, 10], [22, 34]), output, false)).toEqual([
			"Couldn’t verify what the answer claims: something that this run tried failed, wasn’t allowed, or has an unknown outcome.",
			'  "I sent it."',
			'  "I booked it."',
		]);
		const many = Array.from({ length: 8 }, () => [0, 10] as const);
		expect(groundingLines(grounding("unverified", ...many), output, false).at(-1)).toBe("  and 3 more");
	});

	it("says so too when the problem is of no sentence, and when there is no text", () => {
		expect(groundingLines(grounding("unverified", [0, 0]), output, false)).toHaveLength(1);
		expect(groundingLines(grounding("unverified", [0, 10]), undefined, false)).toHaveLength(1);
	});

	it("says who wrote a replaced answer, and that nothing was done; of a grounded one, nothing", () => {
		expect(GroundingState.options).toEqual(["grounded", "no_action", "unverified", "replaced"]);
		expect(groundingLines(grounding("replaced"), output, false)).toEqual([
			"XWorkmate wrote this answer. What the assistant wrote couldn’t be verified against its receipts.",
		]);
		const none = { state: "replaced", problems: [{ code: "NO_ANSWER", start: 0, end: 0 }] } as const;
		expect(groundingLines({ ...none, problems: [...none.problems] }, output, false)).toEqual([
			"XWorkmate wrote this answer. The assistant didn’t write one.",
		]);
		expect(groundingLines(grounding("no_action"), output, false)).toEqual(["0 actions completed."]);
		expect(groundingLines(grounding("no_action"), output, true)).toEqual([]);
		expect(groundingLines(grounding("grounded"), output, false)).toEqual([]);
		expect(groundingLines(undefined, output, false)).toEqual([]);
	});

	it("[T1-96] is told at the end of `run`", () => {
		const snapshot = snapshotOf("t1", (run) => run.text(TEXT).end("completed"));
		const thread = tell(freshThread(), send("t1"), { type: "apply_snapshot", turnId: snapshot.turnId, snapshot, at: snapshot.createdAt });
		const turn = currentTurn(thread);
		if (turn === undefined) throw new Error("the thread has no turn");
		const lines = describeEnd({ turn, thread, snapshot: { ...snapshot, output, grounding: grounding("unverified", [0, 10]) } }, "/x");
		expect(lines.slice(0, 3)).toEqual([
			"Succeeded. 1 claim couldn’t be verified",
			expect.stringContaining("Couldn’t verify"),
			'    "I sent it."',
		]);
	});
});

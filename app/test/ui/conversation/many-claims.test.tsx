import { cleanup, render } from "@testing-library/react";
import type { Grounding } from "@xworkmate/contracts";
import { limits } from "@xworkmate/contracts/limits";
import { afterEach, expect, it } from "vitest";
import { groundingLines } from "../../../src/cli/words/runs/grounding-lines.ts";
import { actionsTitle } from "../../../src/text/runs/actions-title.ts";
import { GroundingNote } from "../../../src/ui/conversation/answer-text.tsx";
import type { Outcome } from "../../../src/ui/turn/outcome.ts";
import { withActions } from "../../../src/ui/turn/outcome-of-actions.ts";

afterEach(cleanup);

const grounding = (count: number, more: Partial<Grounding["problems"][number]> = {}): Grounding => ({
	state: "unverified",
	problems: Array.from({ length: count }, (_, at) => ({ code: "CLAIM_WITHOUT_ACTION", start: at, end: at + 1, ...more })),
});
const most = grounding(limits.answerProblems);
const fewer = grounding(limits.answerProblems - 1);

it("says that more claims than the check of an answer names may be unverified", () => {
	expect(actionsTitle({ grounding: most })).toBe("Succeeded. 100 or more claims couldn’t be verified.");
	expect(actionsTitle({ grounding: fewer })).toBe("Succeeded. 99 claims couldn’t be verified.");
	const failed: Outcome = { tone: "bad", title: "Failed", facts: [], rejected: [], rejectedCount: 0, actions: [] };
	expect(withActions(failed, { grounding: most }).facts).toEqual(["100 or more claims couldn’t be verified"]);
	const output = { text: "x".repeat(200), truncated: false, totalBytes: 200 };
	expect(groundingLines(most, output, false).at(-1)).toBe("  and at least 95 more");
	expect(groundingLines(fewer, output, false).at(-1)).toBe("  and 94 more");
});

it("says that sentences after the last marked one may be unverified too", () => {
	const note = (of: Grounding) => {
		cleanup();
		return render(<GroundingNote checked={{ grounding: of }} items={[]} />).container.textContent;
	};
	expect(note(most)).toContain("Couldn’t verify the 100 marked sentences, and possibly later ones: no file");
	expect(note(fewer)).toContain("Couldn’t verify the 99 marked sentences: no file");
	expect(note(grounding(100, { said: "I sent it." }))).toContain("Couldn’t verify these 100 sentences, and possibly others:");
	expect(note(grounding(99, { said: "I sent it." }))).toContain("Couldn’t verify these 99 sentences:");
});

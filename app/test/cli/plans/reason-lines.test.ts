import { expect, it } from "vitest";
import { reasonLines } from "../../../src/cli/plans/plan-lines.ts";
import { action } from "../../support/plan-story.ts";

it("never takes the number of attempts for the number of characters, messages or missed times in an explanation", () => {
	for (const code of ["LINT_INVISIBLE", "LINT_TOO_LONG", "GATE_SEVERAL", "MISSED"] as const) {
		const lines = reasonLines(action({ status: "needs_review", code, attempts: 3 }));
		expect(lines.join("\n")).not.toMatch(/\b3\b|[{}]/);
	}
	expect(reasonLines(action({ status: "needs_review", code: "RETRIES_EXHAUSTED", attempts: 3 }))[0]).toContain("Gave up after 3 attempts");
});

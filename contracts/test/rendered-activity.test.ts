import { expect, it } from "vitest";
import { type Activity, ReceiptId, RunId, renderActivity, ToolCallId } from "../src/index.ts";

it("says how many calls of an agent it leaves out because they only read, whether or not it lists others", () => {
	const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0 };
	const listed: Activity["items"][number] = {
		...{ toolCallId: ToolCallId.parse("c1"), toolId: "codex:execute" as never, risk: "destructive", origin: "reported" },
		...{ status: "succeeded", words: "npm test", when: "2026-11-23T10:00:00.000Z", receiptRef: ReceiptId.parse("run-1.1") },
	};
	const said = (reported: number, items: Activity["items"], truncated = false) =>
		renderActivity({ runId: RunId.parse("run-1"), completed: 0, counts: { ...counts, reported }, items, truncated });
	expect(said(3, [listed]).at(-1)).toBe("The agent also reported 2 calls that only read; they were not checked.");
	expect(said(1, []).at(-1)).toBe("The agent also reported 1 call that only reads; it was not checked.");
	expect(said(1, [listed]).at(-1)).toContain("npm test");
	// What a cut list leaves out may be of any kind.
	expect(said(3, [listed], true).slice(2)).toEqual([expect.stringContaining("npm test"), "There is more than is listed here."]);
});

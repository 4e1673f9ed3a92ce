import type { ActivityItem } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { workResult } from "../../../src/plans/work/work-result.ts";

/** What the record of a completed run with this reported call says against its success. */
async function doubtOf(item: Partial<ActivityItem>): Promise<string | undefined> {
	const run = { status: "completed", runId: "run-1", activity: { items: [{ origin: "reported", status: "succeeded", ...item }] } };
	return (await workResult({} as never, { delivery: [] } as never, run as never)).doubt;
}

it.each(["not_found", "untouched", "still_there"] as const)(
	"work whose agent reports an edit, a move or a deletion that did not happen is doubted: %s",
	async (contradiction) => {
		expect(await doubtOf({ contradiction })).toBe("The agent reports an edit, a move or a deletion that did not happen.");
	},
);

it("work whose agent reports a change that its file does not show to the letter is not doubted, nor is one that is only reported", async () => {
	expect(await doubtOf({ contradiction: "not_held" })).toBeUndefined();
	expect(await doubtOf({})).toBeUndefined();
});

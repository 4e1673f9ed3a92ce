import type { ActivityItem, Grounding } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { workResult } from "../../../src/plans/work/work-result.ts";

/** What the record of a completed run with this reported call says against its success. */
async function doubtOf(item: Partial<ActivityItem>, grounding?: Grounding): Promise<string | undefined> {
	const items = [{ origin: "reported", status: "succeeded", ...item }];
	const run = { status: "completed", runId: "run-1", activity: { items }, ...(grounding && { grounding }) };
	return (await workResult({} as never, { delivery: [] } as never, run as never)).doubt;
}

it.each(["not_found", "untouched", "still_there"] as const)(
	"work whose agent reports an edit, a move or a deletion that did not happen is doubted: %s",
	async (contradiction) => {
		expect(await doubtOf({ contradiction })).toBe("The agent reports an edit, a move or a deletion that did not happen.");
	},
);

it("work with an edit that a person allowed and that was made otherwise than reported is doubted", async () => {
	const allowed = (by: string) => ({ contradiction: "not_held", approval: { required: true, decision: "allow_once", by } }) as const;
	expect(await doubtOf(allowed("person"))).toBe("An edit that was allowed was not made as the agent reported it.");
	expect(await doubtOf(allowed("window:apr-1"))).toBeUndefined();
});

it("work with a file that changed although its edit was denied is doubted for that, not for something that its agent reports", async () => {
	const changed = "A file was changed even though the edit was denied.";
	expect(await doubtOf({ unpermitted: "found", onlyChanged: true })).toBe(changed);
	const grounding: Grounding = {
		state: "unverified",
		problems: [{ code: "CLAIM_WITHOUT_SUCCESS", reason: "denied", start: 0, end: 9 }],
	};
	expect(await doubtOf({ unpermitted: "found" }, grounding)).toBe(changed);
	expect(await doubtOf({ unpermitted: "denied" }, grounding)).toBe("The agent reports doing something that was denied.");
});

it("work whose agent reports a change that its file does not show to the letter is not doubted, nor is one that is only reported", async () => {
	expect(await doubtOf({ contradiction: "not_held" })).toBeUndefined();
	expect(await doubtOf({})).toBeUndefined();
});

it("work whose answer names a file that was not found, or was still there, is doubted without saying more than was seen", async () => {
	const missing = (more: object) => {
		const problem = { code: "CLAIM_WITHOUT_SUCCESS" as const, reason: "no_file" as const, start: 0, end: 9, ...more };
		return doubtOf({}, { state: "unverified", problems: [problem] });
	};
	expect(await missing({})).toBe("The answer says that a file was written or moved, but the file did not exist when the run ended.");
	expect(await missing({ lookedIn: "run_folders" })).toBe(
		"The answer says that a file was written or moved, but it wasn't found in the run's folders when the run ended.",
	);
	expect(await missing({ reason: "still_there" })).toBe(
		"The answer says that a file was deleted, but the file was still there when the run ended.",
	);
});

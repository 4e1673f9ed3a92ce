import { expect, it } from "vitest";
import { lateStop } from "../../../src/text/runs/late-stop.ts";

it("says of a run that had done its work before it was asked to stop, and of no other, that there was nothing to stop", () => {
	const cancelRequestedAt = "2026-11-23T10:00:00.000Z" as never;
	const said = "There was nothing left to stop when your request arrived.";
	expect(lateStop({ status: "completed", cancelRequestedAt })).toBe(said);
	expect(lateStop({ status: "artifact_missing", cancelRequestedAt })).toBe(said);
	expect(lateStop({ status: "completed", cancelRequestedAt, stoppedAfterMs: 4_000 })).toBe(
		"There was nothing left to stop at the time limit of 4 s.",
	);
	expect(lateStop({ status: "completed" })).toBeUndefined();
	for (const status of ["cancelled", "interrupted", "running", "unresolved"] as const)
		expect(lateStop({ status, cancelRequestedAt })).toBeUndefined();
});

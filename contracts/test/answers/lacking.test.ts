import { expect, it } from "vitest";
import { lackingIn, TaskSummary } from "../../src/index.ts";

it("a run whose files were rejected lacks them, unless it lacks something more serious", () => {
	expect(lackingIn({ rejectedArtifacts: [], rejectedCount: 0 })).toBeUndefined();
	expect(lackingIn({ rejectedArtifacts: [], rejectedCount: 1 })).toBe("rejected");
	// A snapshot of an earlier version does not count them.
	expect(lackingIn({ rejectedArtifacts: [{ path: "a", reason: "symlink" }] })).toBe("rejected");
	expect(lackingIn({ rejectedCount: 1, grounding: { state: "unverified" } })).toBe("unverified");
});

it("of a listed run, a value that only a newer bridge knows is dropped", () => {
	const listed = TaskSummary.pick({ lacking: true });
	expect(listed.parse({ lacking: "rejected" })).toEqual({ lacking: "rejected" });
	expect(listed.parse({ lacking: "of_a_later_version" }).lacking).toBeUndefined();
	expect(listed.parse({})).toEqual({});
	expect(TaskSummary.pick({ unpermitted: true }).parse({ unpermitted: "of_a_later_version" }).unpermitted).toBeUndefined();
});

import { expect, it } from "vitest";
import { countUnlisted } from "../../../src/files/missing-files.ts";
import { ended, snapshot } from "../stories.ts";

it("knows how many files of a run have no known path: neither listed nor saved", () => {
	const listed = snapshot({}, ["a.md", "b.md"]);
	const record = (count: number, resultCode: "success" | "failed", syncedPaths: readonly string[]) => {
		const { turn, request } = ended({ resultCode, syncedPaths }, undefined);
		return { threadId: listed.threadId, turn, request, snapshot: { ...listed, artifacts: { ...listed.artifacts, count } } };
	};
	expect(countUnlisted(record(300, "success", ["b.md", "c.md"]))).toBe(297);
	expect(countUnlisted(record(3, "success", ["a.md", "b.md", "c.md"]))).toBe(0);
	expect(countUnlisted(record(300, "failed", []))).toBe(0);
});

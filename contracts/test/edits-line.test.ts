import { expect, it } from "vitest";
import { deriveActivity, editsLine, RunEdits, RunId, renderActivity } from "../src/index.ts";

const runId = RunId.parse("run-1");

it("what changed where the run worked is named, with what was deleted, and only so many", () => {
	const files = ["a", "b", "c", "d", "e", "f"].map((path, at) => ({ path, status: at === 2 ? "deleted" : "modified" }) as const);
	const edits = { place: "folder", directory: "/p", files, total: 30 } as const;
	const line = "30 files changed in the project folder during the run: a, b, c (deleted), d, e and 25 more";
	expect(editsLine({ ...edits, files: [...files] })).toBe(line);
	expect(renderActivity({ ...deriveActivity(runId, []), edits: { ...edits, files: [...files] } })).toContain(line);
	expect(editsLine({ ...edits, files: [...files], late: true })).toBe(line.replace("during the run", "since the run began"));
	const own = { place: "workspace", directory: "/home/w", files: [{ path: "n\u202E.md", status: "added" as const }], total: 1 } as const;
	expect(editsLine({ ...own, files: [...own.files] })).toBe("1 file changed in /home/w during the run: n\\u{202e}.md (new)");
});

it("files that may have changed are named apart from those that did", () => {
	const [files, unsure] = [[{ path: "a", status: "modified" as const }], { paths: ["b", "c"], total: 2 }];
	const edits = { place: "folder" as const, directory: "/p", files, total: 1, unsure };
	expect(editsLine(edits)).toBe("1 file changed in the project folder during the run: a; 2 more may have changed: b, c");
	const only = { ...edits, files: [], total: 0, unknown: "unreadable" as const, unsure: { paths: ["b"], total: 1 } };
	expect(editsLine(RunEdits.parse(only))).toBe("1 file may have changed in the project folder during the run: b");
});

it.each([
	["worktree", "folder_gone", "What changed in the worktree during the run is not known, because the folder no longer exists: /p"],
	[
		"folder",
		"repository_gone",
		"What changed in the project folder during the run is not known, because its git repository no longer exists: /p",
	],
	["folder", "unreadable", "What changed in the project folder during the run is not known, because it couldn't be read: /p"],
] as const)("that it isn't known what changed in the %s is said, with the reason %s", (place, unknown, line) => {
	const edits = { place, directory: "/p", files: [], total: 0, unknown };
	expect(editsLine(edits)).toBe(line);
	expect(renderActivity({ ...deriveActivity(runId, []), edits })).toContain(line);
	expect(RunEdits.parse(edits)).toEqual(edits);
});

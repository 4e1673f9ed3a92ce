import { type Edit, type EditList, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { AppError } from "../../../src/errors/app-error.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { runAgainst } from "../../support/command-scene.ts";

const threadId = ThreadId.parse("draft:1");
const edit = (path: string): Edit => ({ path, status: "modified", addedLines: 1 });

/** A thread with the listed files; `total` may be more of them. Returns what was asked of the app. */
function changes(total: number, more: Partial<EditList> = {}) {
	const asked: unknown[] = [];
	const files = ["a.txt", "b.txt", "c.txt"].map(edit);
	const list: EditList = {
		...{ place: "folder", checkout: "/p", directory: "/p", seen: "0".repeat(40), runs: [] },
		...{ files, total, ...more },
	};
	const api: Partial<AppApi> = {
		listEdits: async () => list,
		discardEdits: async (given) => {
			asked.push(given.paths);
			return { discarded: [...(given.paths ?? files.map(({ path }) => path))] };
		},
	};
	return { api, asked };
}

it("asks about as many files as it discards, even if the list is cut short", async () => {
	const { api, asked } = changes(2_500);
	const { lines } = await runAgainst(api, ["changes", threadId, "--discard", "--all"], { answer: "n" });
	expect(lines[0]).toBe("This discards the changes to 2500 files: a.txt, b.txt, c.txt, …");
	expect(asked).toEqual([]);
	expect((await runAgainst(changes(3).api, ["changes", threadId, "--discard", "--all"], { answer: "n" })).lines[0]).toBe(
		"This discards the changes to 3 files: a.txt, b.txt, c.txt",
	);
});

it("asks nothing about no files, and passes on why there is nothing to discard", async () => {
	const none = new AppError("INVALID_INPUT", "No changes are left to discard.", "List the changes again.");
	const api: Partial<AppApi> = { ...changes(0, { files: [] }).api, discardEdits: () => Promise.reject(none) };
	const { lines, error } = await runAgainst(api, ["changes", threadId, "--discard", "--all"], { answer: "y" });
	expect({ lines, error }).toEqual({ lines: [], error: none });
});

it("takes a file that a list which is cut short does not show, and refuses one that is not in a whole list", async () => {
	const { api, asked } = changes(2_500);
	await runAgainst(api, ["changes", threadId, "--discard", "z.txt"], { answer: "y" });
	expect(asked).toEqual([["z.txt"]]);
	const { error } = await runAgainst(changes(3).api, ["changes", threadId, "--discard", "z.txt"], { answer: "y" });
	expect(error).toMatchObject({ code: "INVALID_INPUT", message: "z.txt is not in the list of changes." });
});

it.each([
	["changed", "Not applied, because these files changed while XWorkmate was writing:  a.txt"],
	["failed", "Not applied, because these files couldn't be written or came after one that couldn't:  a.txt"],
	[
		"interrupted",
		"Not applied, because writing was interrupted and these files have changed since, or because the data folder was restored from a backup:  a.txt",
	],
	[undefined, "Not applied, because something else had changed these files:  a.txt"],
] as const)("says why a file was left: %s", async (why, words) => {
	const { api } = changes(3, {
		unfinished: { action: "apply", files: ["a.txt"], ...(why === "failed" ? { failed: true } : why && { why }) },
	});
	expect((await runAgainst(api, ["changes", threadId])).lines).toContain(words);
});

it("says what is not applied yet, how much a commit has, and what is committed already", async () => {
	const worktree = { place: "worktree", directory: "/w", branch: "xworkmate/trip" } as const;
	const shown = async (more: Partial<EditList>) =>
		(await runAgainst(changes(3, { ...worktree, ...more }).api, ["changes", threadId])).lines;
	const large: Edit = { path: "big.bin", status: "added", hindrance: "too_large", committed: true };
	const some = await shown({ uncommitted: 4, files: [edit("a.txt"), { ...edit("b.txt"), committed: true }, large] });
	expect(some[0]).toBe("In the thread's worktree /w (branch xworkmate/trip): 3 files changed, not applied yet.");
	expect(some).toContain("  M b.txt  +1 (committed to the branch, not applied)");
	// It can't be compared with the user's folder.
	expect(some).toContain("  A big.bin  too large, so it can only be listed (committed to the branch)");
	expect(some).toContain("Not committed to the branch yet, whether applied or not: 4 files.");
	const applied = await shown({
		uncommitted: 0,
		files: [
			{ ...edit("a.txt"), applied: "undone" },
			{ ...edit("b.txt"), applied: "changed", committed: true },
		],
	});
	expect(applied[0]).toContain("3 files changed, not applied yet, or undone or changed in your folder since.");
	expect(applied).toContain("  M a.txt  +1 (applied earlier, undone in your folder)");
	const since = "(applied earlier, but changed or deleted in your folder since, so it can't be applied again)";
	expect(applied).toContain(`  M b.txt  +1 ${since} (committed to the branch)`);
	expect(await shown({ uncommitted: 0 })).toContain("The branch already has everything, so there is nothing to commit.");
});

it.each([
	[{ branch: "side\u202e" }, "branch side\\u{202e}"],
	[{}, "on no branch"],
])("names the branch that is checked out, and the thread's own beside it: %j", async (elsewhere, on) => {
	const worktree = { place: "worktree", directory: "/w", branch: "xworkmate/trip", uncommitted: 2, elsewhere } as const;
	const { lines } = await runAgainst(changes(3, worktree).api, ["changes", threadId]);
	expect(lines[0]).toBe(`In the thread's worktree /w (${on}): 3 files changed, not applied yet.`);
	expect(lines).toContain("The thread's own branch is xworkmate/trip, which isn't checked out. The worktree differs from it in 2 files.");
});

it("says of a file that was changed outside of the runs no more than that, since a run may not have touched it", async () => {
	const { api } = changes(1, { files: [{ ...edit("mine.txt"), outside: "changed" }] });
	const { lines } = await runAgainst(api, ["changes", threadId]);
	expect(lines).toContain("  M mine.txt  +1 (changed outside the thread's runs, so it can't be discarded)");
});

it("lists what a changed mode makes of a file, beside its lines if these changed too", async () => {
	const files = [
		{ ...edit("run.sh"), addedLines: 0, removedLines: 0, executable: true },
		{ ...edit("b.txt"), executable: false },
	];
	const { lines } = await runAgainst(changes(2, { files }).api, ["changes", threadId]);
	expect(lines).toContain("  M run.sh  now executable");
	expect(lines).toContain("  M b.txt  no longer executable +1");
});

it("prints the command for a diff with the thread, and with the run whose changes are listed", async () => {
	const printed = async (...flags: readonly string[]) => (await runAgainst(changes(3).api, ["changes", threadId, ...flags])).lines.at(-1);
	expect(await printed()).toMatch(new RegExp(`changes ${threadId} --diff FILE$`));
	expect(await printed("--run", "run-1")).toMatch(new RegExp(`changes ${threadId} --run run-1 --diff FILE$`));
});

it("looks for the thread before it asks for the message of a commit", async () => {
	const { error } = await runAgainst(changes(3).api, ["changes", threadId, "--commit"]);
	expect(error).toMatchObject({ code: "INVALID_INPUT", message: "A commit needs a message." });
	const gone = new AppError("THREAD_NOT_FOUND", "There is no such thread.", "List the threads.");
	const none: Partial<AppApi> = { listEdits: () => Promise.reject(gone) };
	expect((await runAgainst(none, ["changes", threadId, "--commit"])).error).toBe(gone);
});

it.each([
	[2, "Committed 000000000000 (2 files) to the branch xworkmate/trip."],
	[undefined, "Committed 000000000000 to the branch xworkmate/trip."],
])("says how many files a commit has: %s", async (files, words) => {
	const made = { commit: "0".repeat(40), branch: "xworkmate/trip", ...(files !== undefined && { files }) };
	const api: Partial<AppApi> = { ...changes(3).api, commitEdits: async () => made };
	expect((await runAgainst(api, ["changes", threadId, "--commit", "-m", "Dates"])).lines).toEqual([words]);
});

it.each([
	[true, "Committed 000000000000 to the branch xworkmate/trip, as Ada <ada@example.org>."],
	[false, "Committed 000000000000 to the branch xworkmate/trip, as Ada <ada@example.org>. Git lacks a user.name or a user.email here."],
])("says who a commit is by, and why if git has no name for the user (configured: %s)", async (configured, words) => {
	const author = { name: "Ada", email: "ada@example.org", configured };
	const api: Partial<AppApi> = {
		...changes(3).api,
		commitEdits: async () => ({ commit: "0".repeat(40), branch: "xworkmate/trip", author }),
	};
	expect((await runAgainst(api, ["changes", threadId, "--commit", "-m", "Dates"])).lines).toEqual([words]);
});

it("says of one run's list that the files changed during the run, not that the run changed them", async () => {
	const { api } = changes(3);
	expect((await runAgainst(api, ["changes", threadId, "--run", "run-0123456789abcdef"])).lines[0]).toBe(
		"In /p: 3 files changed during this run.",
	);
	expect((await runAgainst(api, ["changes", threadId])).lines[0]).toBe("In /p: 3 files changed.");
});

it("says of the list of all runs in a folder since when it has changes, also before it discards them", async () => {
	const since = "2026-01-02T03:04:05.000Z";
	const first = async (total: number, ...flags: readonly string[]) => {
		const files = total === 0 ? [] : ["a.txt"].map(edit);
		return (await runAgainst(changes(total, { since, files }).api, ["changes", threadId, ...flags], { answer: "n" })).lines[0];
	};
	const time = localTime(since, Date.now());
	expect(await first(1)).toBe(`In /p: 1 file changed since ${time}.`);
	expect(await first(0)).toBe(`In /p: no changes in the compared files since ${time}.`);
	expect(await first(1, "--discard", "--all")).toBe(`This discards the changes since ${time} to 1 file: a.txt`);
	expect(await first(1, "--discard", "--all", "--run", "run-0123456789abcdef")).toBe("This discards the changes to 1 file: a.txt");
});

it.each([
	["end", "3 files changed during this run.", "no changes in the compared files during this run."],
	[
		"still",
		"3 files changed during this run, apart from what has changed back since.",
		"none of the compared files that changed during this run still differs from its state before the run.",
	],
	[
		"next",
		"3 files changed between the beginning of this run and that of the next.",
		"no changes in the compared files between the beginning",
	],
	["now", "3 files changed since this run began.", "no changes in the compared files since this run began."],
] as const)("says of one run's list when its files changed, and what an empty one means: %s", async (until, some, none) => {
	const first = async (total: number, files: Edit[]) =>
		(await runAgainst(changes(total, { until, files }).api, ["changes", threadId, "--run", "run-0123456789abcdef"])).lines[0];
	expect(await first(3, [edit("a.txt")])).toBe(`In /p: ${some}`);
	expect(await first(0, [])).toContain(`In /p: ${none}`);
});

it("says of an empty list of a worktree that it has no changes that aren't applied, and how much a commit has", async () => {
	const worktree = { place: "worktree", directory: "/w", branch: "xworkmate/trip", uncommitted: 3 } as const;
	const { lines } = await runAgainst(changes(0, { ...worktree, files: [] }).api, ["changes", threadId]);
	expect(lines[0]).toBe("In the thread's worktree /w (branch xworkmate/trip): no changes that aren't applied in the compared files.");
	expect(lines).toContain("Not committed to the branch yet, whether applied or not: 3 files.");
	const folder = await runAgainst(changes(0, { files: [] }).api, ["changes", threadId]);
	expect(folder.lines[0]).toBe("In /p: no changes in the compared files.");
});

it.each([
	[undefined, "Files that git ignores are not compared."],
	[{ count: 1, paths: ["webapp/"] }, "Files that git ignores are not compared, and neither is what is in the git repository webapp/."],
	[
		{ count: 4, paths: ["a/", "b\u001b/"] },
		'Files that git ignores are not compared, and neither is what is in the git repositories a/, "b\\u001b/" and 2 more.',
	],
])("says of each list what it leaves out: %j", async (repositories, words) => {
	for (const total of [0, 1]) {
		const files = total === 0 ? [] : [edit("a.txt")];
		const { lines } = await runAgainst(changes(total, { files, ...(repositories && { repositories }) }).api, ["changes", threadId]);
		expect(lines).toContain(words);
	}
});

it("takes a file by its name and by what the list calls it, and lists a name that begins like an option as one that can be typed", async () => {
	const names = ["new\nline.txt", "-dash.txt", 'quote".txt', "plain.txt"];
	const { api, asked } = changes(4, { files: names.map(edit) });
	const read: string[] = [];
	const whole: Partial<AppApi> = {
		...api,
		readEdit: async ({ path }) => {
			read.push(path);
			return { file: edit(path), text: "", truncated: false };
		},
	};
	const { lines } = await runAgainst(whole, ["changes", threadId]);
	const listed = lines.flatMap((line) => /^ {2}M (.*?) {2}\+1/.exec(line)?.[1] ?? []);
	expect(listed).toEqual(['"new\\nline.txt"', "./-dash.txt", '"quote\\".txt"', "plain.txt"]);
	// A shell removes the list's own quotation marks.
	const typed = [...names.filter((name) => !name.startsWith("-")), ...listed, "new\\nline.txt"];
	for (const name of typed) await runAgainst(whole, ["changes", threadId, "--discard", name, "--yes"]);
	const meant = ["new\nline.txt", 'quote".txt', "plain.txt", ...names, "new\nline.txt"];
	expect(asked).toEqual(meant.map((name) => [name]));
	for (const name of typed) await runAgainst(whole, ["changes", threadId, "--diff", name]);
	expect(read).toEqual(meant);
});

it("refuses a name that means two files, one by its name and one by what the list calls it", async () => {
	const { api, asked } = changes(2, { files: ["a\nb", "a\\nb"].map(edit) });
	const { error } = await runAgainst(api, ["changes", threadId, "--discard", "a\\nb", "--yes"]);
	expect(error).toMatchObject({ code: "INVALID_INPUT", message: expect.stringContaining("means more than one file in the list") });
	expect(asked).toEqual([]);
});

it("the deletion of a thread names the branch that is kept, if one is", async () => {
	const removed = async (more: object) => {
		const api: Partial<AppApi> = { deleteThread: async () => ({ deletedRuns: 1, freedBytes: 2, ...more }) };
		return (await runAgainst(api, ["threads", "delete", threadId, "--yes"])).lines;
	};
	const deleted = "Deleted 1 run and 2 B of stored files.";
	expect(await removed({})).toEqual([deleted]);
	expect(await removed({ keptBranch: "xworkmate/a" })).toEqual([deleted, "Its changes are on the branch xworkmate/a, which is kept."]);
});

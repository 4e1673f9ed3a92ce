import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { type Edit, type EditList, RunId, ThreadId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AppState } from "../../../src/api/ui-api.ts";
import EditsPage from "../../../src/ui/edits/edits-page.tsx";
import { patchLines } from "../../../src/ui/edits/patch-lines.ts";
import { hrefOf, parseRoute, route } from "../../../src/ui/state/route.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState, ended, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	untold.set([]);
});

const threadId = ThreadId.parse("thread-1");
const seen = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const files: Edit[] = [
	{ path: "src/main.ts", status: "modified", addedLines: 2, removedLines: 1, executable: true },
	{ path: "new\u202e.txt", status: "added", addedLines: 1, removedLines: 0 },
	{ path: "film.mov", status: "added", hindrance: "too_large" },
];
const list = (more: Partial<EditList> = {}): EditList => ({
	place: "worktree",
	checkout: "/home/user/project",
	directory: "/home/user/.xworkmate/bridge/worktrees/thread-1",
	branch: "xworkmate/thread-1",
	seen,
	runs: [{ runId: RunId.parse("run-1"), at: "2026-01-02T03:04:05.006Z" }],
	files,
	total: files.length,
	...more,
});

function open(answers: object = {}, runId?: RunId, app: Partial<AppState> = {}) {
	const calls = fakeApp({
		listEdits: list(),
		readEdit: { file: files[0], text: "@@ -1,2 +1,3 @@ function main\n same\n-old\n+new\n+\tmore\n", truncated: false },
		applyEdits: { applied: ["src/main.ts"] },
		discardEdits: { discarded: ["src/main.ts"] },
		commitEdits: { commit: seen, branch: "xworkmate/thread-1" },
		...answers,
	});
	render(
		<div className="frame">
			<EditsPage threadId={threadId} {...(runId !== undefined && { runId })} />
		</div>,
		{ wrapper: new InApp({ ...appState, ...app }).wrapper },
	);
	return calls;
}
const told = () => untold.value.map(({ text }) => text).join();
const given = (calls: ReturnType<typeof fakeApp>, method: string) =>
	calls.filter((call) => call.method === method).map(({ params }) => params);

describe("the page of changes", () => {
	it("lists each file with what happened to it, its mode and its lines, and says where it is and that the folder stays", async () => {
		open();
		const found = await screen.findByRole("list", { name: "Changed files" });
		expect(found.textContent).toContain("src/main.tsModifiedNow executable+2−1");
		expect(found.textContent).toContain("new⟨U+202E⟩.txt");
		expect(screen.getByText(/^As of \d\d:\d\d\.$/)).toBeDefined();
		expect(
			screen.getByText(
				/branch xworkmate\/thread-1\. XWorkmate changes files in your folder \/home\/user\/project only when you apply something/,
			),
		).toBeDefined();
		expect(screen.getByRole("checkbox", { name: "Select film.mov" })).toHaveProperty("disabled", true);
	});

	it.each([
		[{ branch: "side\u202E" }, /on the branch side⟨U\+202E⟩ and not on the thread’s own branch xworkmate\/thread-1\. XWorkmate changes/],
		[{}, /on no branch and so not on the thread’s own branch xworkmate\/thread-1\./],
	])("names the branch that the worktree is on, if that is not the thread's own: %j", async (elsewhere, words) => {
		open({ listEdits: list({ elsewhere }) });
		expect(await screen.findByText(words)).toBeDefined();
	});

	it("marks a file in the list that was changed outside of the thread's runs", async () => {
		const changed = { status: "modified", addedLines: 1, removedLines: 0 } as const;
		const outside: Edit[] = [
			{ path: "a.txt", ...changed, outside: "changed" },
			{ path: "b.txt", ...changed, outside: "unknown" },
			{ path: "c.txt", ...changed },
		];
		open({ listEdits: list({ files: outside, total: 3 }) });
		await screen.findByRole("list", { name: "Changed files" });
		const rows = screen.getAllByRole("button", { name: /txt/, expanded: false }).map(({ textContent }) => textContent);
		expect(rows).toEqual([
			"a.txtModified+1Changed outside of the thread’s runs",
			"b.txtModified+1May contain other changes",
			"c.txtModified+1",
		]);
	});

	it("shows a diff by sign and not by colour only, once it is opened", async () => {
		const calls = open();
		const opener = await screen.findByRole("button", { name: /src\/main\.ts/, expanded: false });
		expect(given(calls, "readEdit")).toEqual([]);
		fireEvent.click(opener);
		const diff = await screen.findByRole("region", { name: "Changes to src/main.ts" });
		expect([...diff.querySelectorAll(".l")].map((line) => [...line.children].map(({ textContent }) => textContent).join("|"))).toEqual([
			"|||@@ 1, 1 @@ function main",
			"1|1| |same",
			"2||−|old",
			"|2|+|new",
			"|3|+|    more",
		]);
		fireEvent.click(await screen.findByRole("button", { name: /film\.mov/, expanded: false }));
		expect(screen.getByText(/Too large to show/)).toBeDefined();
	});

	it.each([
		["added", "The file is empty."],
		["deleted", "The file was empty."],
		["modified", "Only its name, mode or type differs."],
	] as const)("says why a file that was %s has no lines to show", async (status, words) => {
		const file = { path: ".gitkeep", status, addedLines: 0, removedLines: 0 };
		open({ listEdits: list({ files: [file], total: 1 }), readEdit: { file, text: "", truncated: false } });
		fireEvent.click(await screen.findByRole("button", { name: /\.gitkeep/, expanded: false }));
		expect(await screen.findByText(words)).toBeDefined();
	});

	it("applies the chosen files alone, as they were shown, and reads again", async () => {
		const calls = open();
		fireEvent.click(await screen.findByRole("checkbox", { name: "Select new⟨U+202E⟩.txt" }));
		fireEvent.click(screen.getByRole("button", { name: "Apply" }));
		await waitFor(() => expect(told()).toContain("Applied 1 file to /home/user/project"));
		expect(given(calls, "applyEdits")).toEqual([{ threadId, seen, paths: ["src/main.ts"] }]);
		await waitFor(() => expect(given(calls, "listEdits")).toHaveLength(2));
	});

	it.each([
		["running", "running", true],
		["queued", "queued", true],
		["completed", "running", false],
	] as const)("is only looked at while a run is %s and its thread %s: %s", async (status, lifecycleStatus, isBusy) => {
		const { turn } = ended({}, undefined);
		const more = { lifecycleStatus, pendingTurnId: turn.turnId, lastTurn: { ...turn, status } };
		open({}, undefined, { threads: [summary(threadId, 1, more)] });
		const apply = await screen.findByRole("button", { name: "Apply" });
		expect([apply.hasAttribute("disabled"), screen.queryByText(/^A run of this thread hasn’t ended/) !== null]).toEqual([isBusy, isBusy]);
	});

	it.each([true, false])("offers the editor only where the files are on this computer for sure: %s", async (own) => {
		open({}, undefined, { bridge: { ...appState.bridge, own } });
		await screen.findByRole("button", { name: /src\/main\.ts/, expanded: false });
		expect(screen.queryByRole("button", { name: "Open src/main.ts in your editor" }) !== null).toBe(own);
	});

	it("says which file conflicts", async () => {
		open({
			applyEdits: new Refused(
				"EDITS_CONFLICT",
				"Nothing was written, because this file was changed elsewhere or is in the way: src/main.ts.",
			),
		});
		fireEvent.click(await screen.findByRole("button", { name: "Apply" }));
		await waitFor(() => expect(told()).toContain("src/main.ts"));
	});

	it("asks before it discards, with the focus on the button that changes nothing", async () => {
		const calls = open();
		fireEvent.click(await screen.findByRole("button", { name: "Discard…" }));
		const dialog = within(await screen.findByRole("alertdialog", { name: "Discard changes to 2 files?" }));
		expect(given(calls, "discardEdits")).toEqual([]);
		fireEvent.click(dialog.getByRole("button", { name: "Discard" }));
		await waitFor(() => expect(given(calls, "discardEdits")).toEqual([{ threadId, seen, paths: ["src/main.ts", "new\u202e.txt"] }]));
	});

	it.each([
		["of all runs, to before the first one", "folder", undefined, "when the record of this thread’s runs in this folder began. Changes"],
		["of one run, to before that run", "folder", RunId.parse("run-1"), "before this run."],
		["of one run in a worktree, to before that run", "worktree", RunId.parse("run-1"), "before this run."],
	] as const)("says what discarding the changes goes back to: %s", async (_what, place, runId, words) => {
		open({ listEdits: list({ place }) }, runId);
		fireEvent.click(await screen.findByRole("button", { name: "Discard…" }));
		expect((await screen.findByRole("alertdialog")).textContent).toContain(words);
	});

	it("commits with a message, and not without one", async () => {
		const calls = open();
		fireEvent.click(await screen.findByRole("button", { name: "Commit…" }));
		const dialog = within(await screen.findByRole("alertdialog", { name: "Commit to xworkmate/thread-1" }));
		expect(dialog.queryByRole("button", { name: "Commit" })).toBeNull();
		fireEvent.change(dialog.getByLabelText("Message"), { target: { value: "Parse dates" } });
		fireEvent.click(dialog.getByRole("button", { name: "Commit" }));
		await waitFor(() => expect(given(calls, "commitEdits")).toEqual([{ threadId, seen, message: "Parse dates" }]));
	});

	it("says how many files were committed, and when there is nothing to commit", async () => {
		open({ commitEdits: { commit: seen, branch: "xworkmate/thread-1", files: 3 } });
		fireEvent.click(await screen.findByRole("button", { name: "Commit…" }));
		const dialog = within(await screen.findByRole("alertdialog"));
		fireEvent.change(dialog.getByLabelText("Message"), { target: { value: "Parse dates" } });
		fireEvent.click(dialog.getByRole("button", { name: "Commit" }));
		await waitFor(() => expect(told()).toContain(" (3 files) to xworkmate/thread-1"));
		cleanup();
		open({ listEdits: list({ uncommitted: 0 }) });
		await screen.findByText(/there is nothing to commit/);
		expect(screen.getByRole("button", { name: "Commit…" }).hasAttribute("disabled")).toBe(true);
	});

	it("commits with Enter in the message, and not with an empty one", async () => {
		const calls = open();
		fireEvent.click(await screen.findByRole("button", { name: "Commit…" }));
		const dialog = within(await screen.findByRole("alertdialog"));
		const field = dialog.getByLabelText("Message");
		// The browser turns Enter in a field into this.
		const enter = () => fireEvent.submit((field as HTMLInputElement).form ?? field);
		enter();
		expect(given(calls, "commitEdits")).toEqual([]);
		fireEvent.change(field, { target: { value: "Parse dates" } });
		enter();
		enter();
		await waitFor(() => expect(given(calls, "commitEdits")).toEqual([{ threadId, seen, message: "Parse dates" }]));
	});

	it.each([
		[true, " (3 files) to xworkmate/thread-1, as Ada <ada@example.org>"],
		[false, " (3 files) to xworkmate/thread-1, as Ada <ada@example.org>, because git lacks a user.name or a user.email"],
	])("says who a commit is by, and why if git has no name for the user (configured: %s)", async (configured, words) => {
		const author = { name: "Ada", email: "ada@example.org", configured };
		open({ commitEdits: { commit: seen, branch: "xworkmate/thread-1", files: 3, author } });
		fireEvent.click(await screen.findByRole("button", { name: "Commit…" }));
		const dialog = within(await screen.findByRole("alertdialog"));
		fireEvent.change(dialog.getByLabelText("Message"), { target: { value: "Parse dates" } });
		fireEvent.click(dialog.getByRole("button", { name: "Commit" }));
		await waitFor(() => expect(told().endsWith(words)).toBe(true));
	});

	it("has nothing to apply or commit in the folder itself, and says that the user's edits are listed too", async () => {
		const { branch: _, ...folder } = list({ place: "folder", directory: "/home/user/project" });
		open({ listEdits: folder });
		await screen.findByText(/The list includes your own edits/);
		expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
		expect(screen.queryByRole("button", { name: "Commit…" })).toBeNull();
		expect(screen.getByRole("button", { name: "Discard…" })).toBeDefined();
	});

	it("says of one run's list that the user may have made some of the changes, and that discarding takes those too", async () => {
		const { branch: _, ...folder } = list({ place: "folder", directory: "/home/user/project" });
		open({ listEdits: folder }, RunId.parse("run-2"));
		await screen.findByText(/during this run, no matter who changed it\. Discarding a file also discards what you changed/);
		cleanup();
		open({ listEdits: list({}) }, RunId.parse("run-2"));
		await screen.findByText(/The list shows what changed in the worktree during this run, no matter who changed it\./);
	});

	it.each([
		["changed", "These files changed while XWorkmate was writing, so they were left untouched: b.txt"],
		[
			"interrupted",
			"Left untouched, because writing was interrupted and these files have changed since, or because the data folder was restored",
		],
		[undefined, "Something else had changed these files, so they were left untouched: b.txt"],
	] as const)("says why a file was left: %s", async (why, words) => {
		open({ listEdits: list({ unfinished: { action: "apply", files: ["b.txt"], ...(why && { why }) } }) });
		expect((await screen.findByRole("alert")).textContent).toContain(words);
	});

	it("shows one run's changes, and says what was left", async () => {
		const runs = [1, 2].map((at) => ({ runId: RunId.parse(`run-${at}`), at: "2026-01-02T03:04:05.006Z" }));
		const calls = open({ listEdits: list({ runs, unfinished: { action: "apply", files: ["b.txt"] } }) }, RunId.parse("run-2"));
		const picker = await screen.findByRole("combobox", { name: "Run" });
		expect([given(calls, "listEdits"), (picker as HTMLSelectElement).value]).toEqual([[{ threadId, runId: "run-2" }], "run-2"]);
		expect(screen.getByRole("alert").textContent).toContain("b.txt");
		expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
		fireEvent.change(picker, { target: { value: "" } });
		await waitFor(() => expect(route.value).toEqual({ page: "changes", threadId }));
	});

	it("says why there is nothing to show", async () => {
		open({ listEdits: new Refused("EDITS_UNAVAILABLE", "There is no record of this thread's runs in a git repository.") });
		expect((await screen.findByRole("alert")).textContent).toContain("no record");
	});

	it("has an address of its own", () => {
		for (const to of [{ page: "changes", threadId } as const, { page: "changes", threadId, runId: RunId.parse("run-1") } as const]) {
			expect(parseRoute(hrefOf(to))).toEqual(to);
		}
	});
});

describe("the lines of a diff", () => {
	it("are numbered over several places, and a missing line feed is no line", () => {
		const text = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n@@ -10,0 +11,2 @@\n+c\n+@@ -1 +1 @@\n";
		expect(patchLines(text).map(({ kind, before, after, text: line }) => [kind, before, after, line])).toEqual([
			["place", undefined, undefined, "@@ 1, 1 @@"],
			["removed", 1, undefined, "a"],
			["place", undefined, undefined, "No newline at end of file"],
			["added", undefined, 1, "b"],
			["place", undefined, undefined, "@@ 10, 11 @@"],
			["added", undefined, 11, "c"],
			["added", undefined, 12, "@@ -1 +1 @@"],
		]);
	});
});

import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type Edit, type EditList, type EditsUntil, RunId, ThreadId } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import EditsPage from "../../../src/ui/edits/edits-page.tsx";
import { formatTime } from "../../../src/ui/text/format.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const threadId = ThreadId.parse("thread-1");
const since = "2026-01-02T03:04:05.006Z";
const files: Edit[] = [{ path: "a.txt", status: "modified", addedLines: 1, removedLines: 1 }];

function open(more: Partial<EditList>, runId?: RunId) {
	const list: EditList = {
		...{ place: "folder", checkout: "/p", directory: "/p", seen: "0".repeat(40), runs: [{ runId: RunId.parse("run-1"), at: since }] },
		...{ files, total: files.length, ...more },
	};
	const calls = fakeApp({ listEdits: list, openEdit: null });
	render(
		<div className="frame">
			<EditsPage threadId={threadId} {...(runId !== undefined && { runId })} />
		</div>,
		{ wrapper: new InApp(appState).wrapper },
	);
	return calls;
}

it("says since when the changes in a folder are recorded, and what discarding them goes back to", async () => {
	open({ since });
	const at = formatTime(since);
	await screen.findByText(new RegExp(`^Changes in /p since the record of this thread’s runs there began \\(${at}\\)\\. `));
	fireEvent.click(screen.getByRole("button", { name: "Discard…" }));
	const words = `Each file goes back to how it was when the record of this thread’s runs in this folder began (${at}).`;
	expect((await screen.findByRole("alertdialog")).textContent).toContain(words);
});

it.each<[EditsUntil, string, string]>([
	["end", "What changed in /p during this run, no matter who changed it. Discarding a file", "No changes in the compared files."],
	[
		"still",
		"What changed in /p during this run, apart from what has changed back since, no matter who changed it. Discarding a file",
		"The compared files that changed during this run are now as they were before it.",
	],
	[
		"next",
		"What changed in /p between the beginning of this run and that of the next, no matter who changed it.",
		"No changes in the compared files.",
	],
	["now", "What changed in /p since this run began, no matter who changed it.", "No changes in the compared files."],
])("says of one run's list when its files changed, and what an empty one means: %s", async (until, some, none) => {
	open({ until, files: [], total: 0 }, RunId.parse("run-1"));
	await screen.findByText(none);
	expect(document.body.textContent).toContain(some);
	expect(document.body.textContent?.includes("Discarding")).toBe(some.includes("Discarding"));
});

it("says of a worktree that everything in it is applied, and still offers to commit", async () => {
	open({ place: "worktree", branch: "xworkmate/thread-1", files: [], total: 0, uncommitted: 3 });
	await screen.findByText("No unapplied changes in the compared files.");
	expect(screen.getByRole("button", { name: "Commit…" }).hasAttribute("disabled")).toBe(false);
	expect(screen.getByRole("button", { name: "Apply" }).hasAttribute("disabled")).toBe(true);
	cleanup();
	open({ place: "worktree", branch: "xworkmate/thread-1", files: [], total: 0, uncommitted: 0 });
	await screen.findByText("No unapplied changes in the compared files.");
	expect(screen.queryByRole("button", { name: "Commit…" })).toBeNull();
});

it("says what the list leaves out, whether or not something in it changed", async () => {
	open({ files: [], total: 0, repositories: { count: 1, paths: ["webapp/"] } });
	await screen.findByText("Files that git ignores are not compared, and neither is what is in the git repository webapp/.");
	cleanup();
	open({});
	await screen.findByText("Files that git ignores are not compared.");
});

it("opens a file of the list that it shows", async () => {
	const runId = RunId.parse("run-1");
	const calls = open({}, runId);
	fireEvent.click(await screen.findByRole("button", { name: "Open a.txt in your editor" }));
	const asked = () => calls.filter(({ method }) => method === "openEdit").map(({ params }) => params);
	await waitFor(() => expect(asked()).toEqual([{ threadId, runId, path: "a.txt" }]));
});

it("preselects no file that can't be discarded if that is all that can be done, and selects it if the user does", async () => {
	const [file] = files;
	const both: Edit[] = [...files, { ...file, path: "b.txt", status: "modified", outside: "changed" }];
	const isChecked = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name: `Select ${name}` }).checked;
	open({ files: both, total: 2 });
	await screen.findByText("1 selected");
	expect([isChecked("a.txt"), isChecked("b.txt")]).toEqual([true, false]);
	fireEvent.click(screen.getByRole("checkbox", { name: "Select b.txt" }));
	fireEvent.click(screen.getByRole("checkbox", { name: "Select a.txt" }));
	expect([isChecked("a.txt"), isChecked("b.txt")]).toEqual([false, true]);
	cleanup();
	open({ place: "worktree", branch: "xworkmate/thread-1", files: both, total: 2 });
	await screen.findByText("2 selected");
});

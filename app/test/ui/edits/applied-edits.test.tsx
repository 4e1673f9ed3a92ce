import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type Edit, type EditList, RunId, ThreadId } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import EditsPage from "../../../src/ui/edits/edits-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const threadId = ThreadId.parse("thread-1");
const changed = { status: "modified", addedLines: 1, removedLines: 0 } as const;

function shown(files: readonly Edit[], more: Partial<EditList> = {}): EditList {
	return {
		...{ place: "worktree", checkout: "/home/user/project", directory: "/home/user/worktree", branch: "xworkmate/thread-1" },
		seen: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
		runs: [{ runId: RunId.parse("run-1"), at: "2026-01-02T03:04:05.006Z" }],
		files: [...files],
		total: files.length,
		...more,
	};
}

async function open(files: readonly Edit[], more: Partial<EditList> = {}): Promise<void> {
	fakeApp({ listEdits: shown(files, more), readEdit: { file: files[0], text: "", truncated: false } });
	render(<EditsPage threadId={threadId} />, { wrapper: new InApp(appState).wrapper });
	await screen.findByText(/^As of/);
}

it("says of an applied file that the user's folder no longer has it, and leaves it to the user to select it again", async () => {
	await open([
		{ path: "a.txt", ...changed, applied: "undone" },
		{ path: "b.txt", ...changed, applied: "changed", committed: true },
		{ path: "c.txt", ...changed },
	]);
	const rows = screen.getAllByRole("button", { name: /txt/, expanded: false });
	expect(rows.map(({ textContent }) => textContent)).toEqual([
		"a.txtModified+1Applied earlier, undone in your folder",
		"b.txtModified+1Applied earlier, changed or deleted in your folder since",
		"c.txtModified+1",
	]);
	const boxes = ["a.txt", "b.txt", "c.txt"].map((path) => screen.getByRole<HTMLInputElement>("checkbox", { name: `Select ${path}` }));
	expect(boxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([
		[false, false],
		[false, false],
		[true, false],
	]);
	for (const row of rows) fireEvent.click(row);
	expect(screen.getByText("Your folder is as it was before you applied this. You can apply it again.")).toBeDefined();
	expect(screen.getByText("In your folder, this file was changed or deleted since, so it can’t be applied again.")).toBeDefined();
	expect(screen.getByText("Committed to the branch.")).toBeDefined();
});

it("forgets that a file was selected once the file has left the list", async () => {
	const file: Edit = { path: "a.txt", ...changed };
	const lists = [[file], [], [{ ...file, applied: "undone" } as const]].map((files) => shown(files));
	fakeApp({ listEdits: () => lists.shift() });
	render(<EditsPage threadId={threadId} />, { wrapper: new InApp(appState).wrapper });
	const box = () => screen.findByRole<HTMLInputElement>("checkbox", { name: "Select a.txt" });
	fireEvent.click(await box());
	fireEvent.click(await box());
	expect((await box()).checked).toBe(true);
	const refresh = screen.getByRole("button", { name: "Refresh" });
	fireEvent.click(refresh);
	await waitFor(() => expect(screen.queryByRole("checkbox", { name: "Select a.txt" })).toBeNull());
	fireEvent.click(refresh);
	expect((await box()).checked).toBe(false);
});

it("reads an open diff again with each list, since what a file is compared with depends on the user's folder too", async () => {
	const file: Edit = { path: "a.txt", ...changed };
	await open([file]);
	fireEvent.click(screen.getByRole("button", { name: /a\.txt/, expanded: false }));
	await screen.findByText("Only its name, mode or type differs.");
	fakeApp({ listEdits: shown([file]), readEdit: { file, text: "@@ -1,1 +1,1 @@\n-yours now\n+new\n", truncated: false } });
	fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
	expect(await screen.findByText("yours now")).toBeDefined();
	const applied: Edit = { ...file, applied: "undone" };
	fakeApp({ listEdits: shown([applied]), readEdit: () => new Promise(() => undefined) });
	fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
	await screen.findByText("Applied earlier, undone in your folder");
	expect(screen.queryByText("yours now")).toBeNull();
});

it("says of files that could not be written that this is why they are listed", async () => {
	await open([{ path: "a.txt", ...changed }], { unfinished: { action: "apply", failed: true, files: ["a.txt"] } });
	expect(screen.getByText("These files couldn’t be written, or came after one that couldn’t: a.txt")).toBeDefined();
});

it("says how many files are not committed, even if all of them are applied", async () => {
	await open([], { uncommitted: 2 });
	expect(screen.getByText("No unapplied changes in the compared files.")).toBeDefined();
	expect(screen.getByText("Not committed to the branch yet, whether applied or not: 2 files.")).toBeDefined();
});

it("does not call files uncommitted while another branch is checked out, where they may be committed", async () => {
	await open([], { uncommitted: 2, elsewhere: { branch: "agent" } });
	expect(screen.getByText(/which is on the branch agent and not on/)).toBeDefined();
	expect(screen.queryByText(/Not committed to the branch yet/)).toBeNull();
});

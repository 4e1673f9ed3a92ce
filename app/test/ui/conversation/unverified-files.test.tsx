import { act, cleanup, render, within } from "@testing-library/react";
import { RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { findText, openFind } from "../../../src/ui/state/find-text.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { at, ended, snapshot, stage, summary } from "../stories.ts";

const threadId = ThreadId.parse("thread1");

let app: FakeApp;
let reader: ThreadReader;
beforeEach(() => {
	app = new FakeApp();
	reader = new ThreadReader(threadId);
});
afterEach(() => {
	cleanup();
	findText.set(undefined);
	reader.close();
	app[Symbol.dispose]();
});

/** The end of a conversation's only run, which delivered one file, or more that are not listed. */
async function endOf(
	turn: Parameters<typeof ended>[0],
	end: Parameters<typeof snapshot>[0],
	state: string,
	count = 1,
): Promise<HTMLElement> {
	const path = "out/report.md";
	const turns = [ended({ turnId: TurnId.parse("a"), runId: RunId.parse("run1"), ...turn }, snapshot(end, [path]))];
	app.answers.set("readThread", () => ({
		thread: { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false },
		...{ turns, folder: "/x", queued: [], queueHeld: false },
	}));
	const file = { relativePath: path, mediaType: "text/markdown", sizeBytes: 10, state };
	const run = { ...{ runId: "run1", turnId: "a", createdAt: at(0), syncStatus: "synced", files: [file], count }, rejected: [] };
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [run] }));
	app.answers.set("readUpdates", () => ({ updates: [stage(1, "working")], more: false }));
	await reader.read();
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: new InApp().wrapper });
	await until("the end is there", () => document.querySelector("[data-outcome]") !== null);
	await reader.readFiles();
	const shown = document.querySelector<HTMLElement>("[data-outcome]");
	if (shown === null) throw new Error("the end has gone");
	return shown;
}

it("a run whose answer has an unverified claim lists its saved files, and opens their folder", async () => {
	const grounding = { state: "unverified", problems: [{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 4 }] };
	const output = { text: "Sent.", truncated: false, totalBytes: 5 };
	const end = await endOf({ syncStatus: "synced", syncedPaths: ["out/report.md"] }, { grounding, output }, "checked");
	expect(end.dataset.outcome).toBe("mixed");
	await within(end).findByRole("button", { name: "out/report.md" });
	expect(within(end).getByRole("button", { name: "Open folder" })).toBeDefined();
});

it("a run that was stopped lists its files, which are not in the folder", async () => {
	const end = await endOf({ status: "cancelled", cancelRequestedAt: at(5) }, { status: "cancelled", success: false }, "unsaved");
	expect(end.dataset.outcome).toBe("off");
	await within(end).findByRole("button", { name: "out/report.md" });
	expect(end.textContent).toContain(
		"1 file collected by the bridge, which keeps files for a limited time. Not saved in the thread’s folder. Files of an unfinished run may be incomplete.",
	);
	expect(within(end).queryByRole("button", { name: "Open folder" })).toBeNull();
});

it("a run that failed lists its files while the thread is searched, because the list of threads finds their names", async () => {
	const turn = { status: "failed", resultCode: "failed" } as const;
	const end = await endOf(turn, { status: "failed", success: false }, "unsaved");
	const listed = () => within(end).queryByRole("button", { name: "out/report.md" });
	expect([end.dataset.outcome, listed()]).toEqual(["bad", null]);
	act(() => openFind(threadId, "report"));
	expect(listed()).not.toBeNull();
});

it("a run with more files than the app lists says how many more there are", async () => {
	const end = await endOf({ syncStatus: "synced", syncedPaths: ["out/report.md"] }, {}, "checked", 300);
	await within(end).findByRole("button", { name: "out/report.md" });
	expect(end.textContent).toContain("and 299 more");
});

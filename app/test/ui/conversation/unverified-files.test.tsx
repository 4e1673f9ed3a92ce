import { cleanup, render, screen, within } from "@testing-library/react";
import { RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
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
	reader.close();
	app[Symbol.dispose]();
});

it("a run whose answer has an unverified claim lists its saved files, and opens their folder", async () => {
	const grounding = { state: "unverified", problems: [{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 4 }] };
	const turn = { turnId: TurnId.parse("a"), runId: RunId.parse("run1"), syncStatus: "synced" as const, syncedPaths: ["out/report.md"] };
	const turns = [ended(turn, snapshot({ grounding, output: { text: "Sent.", truncated: false, totalBytes: 5 } }, ["out/report.md"]))];
	app.answers.set("readThread", () => ({
		thread: { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false },
		...{ turns, folder: "/x", queued: [], queueHeld: false },
	}));
	const file = { relativePath: "out/report.md", mediaType: "text/markdown", sizeBytes: 10, state: "checked" };
	const run = { ...{ runId: "run1", turnId: "a", createdAt: at(0), syncStatus: "synced", files: [file], count: 1 }, rejected: [] };
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [run] }));
	app.answers.set("readUpdates", () => ({ updates: [stage(1, "working")], more: false }));
	await reader.read();
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: new InApp().wrapper });
	await until("the end is there", () => document.querySelector("[data-outcome]") !== null);
	const end = document.querySelector<HTMLElement>("[data-outcome]");
	expect(end?.dataset.outcome).toBe("mixed");
	await reader.readFiles();
	await screen.findByRole("button", { name: "out/report.md" });
	expect(within(end ?? document.body).getByRole("button", { name: "Open folder" })).toBeDefined();
});

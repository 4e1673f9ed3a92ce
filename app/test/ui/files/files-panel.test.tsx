import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { RunId, ThreadId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunFiles, ThreadFile } from "../../../src/api/ui-api.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { FilesPanel } from "../../../src/ui/files/files-panel.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import type { OpenFile } from "../../../src/ui/state/route.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { distinctTimes, formatClockTime, formatTime } from "../../../src/ui/text/format.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { InApp } from "../in-app.tsx";
import { at, snapshot, summary } from "../stories.ts";

const threadId = ThreadId.parse("thread1");

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
});
afterEach(() => {
	cleanup();
	untold.set([]);
	app[Symbol.dispose]();
});

function run(name: string, createdAt: string, state: ThreadFile["state"]): RunFiles {
	const { turnId } = snapshot({});
	const file = { relativePath: "a.md", state, mediaType: "text/plain", ...(state === "missing" && { atBridge: true }) } as const;
	const counts = { count: 1, totalBytes: 1, rejected: [], rejectedCount: 0 };
	return { turnId, runId: RunId.parse(name), createdAt, current: false, files: [file], ...counts };
}

/** The panel of a thread that is at rest. */
async function panel(
	runs: readonly RunFiles[],
	file?: OpenFile,
	more: { readonly lifecycleStatus?: "archived"; readonly lastArtifactSyncStatus?: "synced" } = {},
	inApp = new InApp(),
) {
	const thread = { ...summary("thread1", 5), ...more, sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false };
	app.answers.set("readThread", () => ({ thread, turns: [], folder: "/x", queued: [], queueHeld: false }));
	app.answers.set("listFiles", () => ({ folder: "/x", runs }));
	const reader = new ThreadReader(threadId);
	await reader.read();
	render(<FilesPanel reader={reader} {...(file && { file })} open={() => {}} close={() => {}} />, { wrapper: inApp.wrapper });
}

it("says of a file's state when it was last known, while the app is not responding", async () => {
	const inApp = new InApp();
	inApp.heardAt = at(9);
	const shown = { ...run("a", at(4), "checked"), current: true };
	await panel([shown], undefined, { lastArtifactSyncStatus: "synced" }, inApp);
	const seal = () => screen.getByText(/^Checked/);
	expect([seal().textContent, seal().className, screen.getByText(/^All saved/).textContent]).toEqual(["Checked", "seal", "All saved"]);
	act(() => inApp.link.set("gone"));
	const asOf = `as of ${formatTime(at(9))}`;
	expect([seal().textContent, screen.getByText(/^All saved/).textContent]).toEqual([`Checked ${asOf}`, `All saved ${asOf}`]);
	expect([seal().className, seal().title]).not.toContain("seal");
	expect(seal().title).toContain(asOf);
	act(() => inApp.link.set("live"));
	expect(seal().textContent).toBe("Checked");
});

it("tells two runs of one minute apart", async () => {
	await panel([run("b", at(9), "checked"), run("a", at(4), "checked")]);
	const names = screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent ?? "");
	expect(new Set(names).size).toBe(2);
	expect(names).toEqual([expect.stringMatching(/^Run from .*:09$/), expect.stringMatching(/^Run from .*:04$/)]);
});

it("writes no more of a run's time than tells it apart", () => {
	const [a, b, c, d] = ["10:02:03.000", "10:02:04.000", "10:05:04.000", "10:05:04.001"].map((time) => `2026-01-02T${time}Z`);
	if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error("there are four");
	const now = Date.parse("2026-01-02T10:06:00.000Z");
	const written = (...times: readonly string[]) => times.map(distinctTimes(times, now));
	const short = (time: string) => localTime(time, now);
	expect(written(a, c)).toEqual([short(a), short(c)]);
	expect(written(a, b, c)).toEqual([`${short(a)}:03`, `${short(b)}:04`, short(c)]);
	expect(written(c, d)).toEqual([formatClockTime(c), formatClockTime(d)]);
});

it("offers to download files again that the folder lacks, and says what came of it", async () => {
	app.answers.set("sync", () => ({ turns: [], lastArtifactSyncStatus: "synced", broughtBack: { paths: [], lacking: [] } }));
	await panel([run("a", at(4), "missing")]);
	fireEvent.click(screen.getByRole("button", { name: "Download missing files" }));
	await expect.poll(() => untold.value.map(({ text }) => text)).toEqual(["No files are missing from the folder now."]);
	expect(app.of("sync")).toEqual([{ threadId, leaveEdits: true }]);
});

it("offers it also for a saved file beyond the listed ones, and never sends the user to an archive that lacks files too", async () => {
	const saved = { relativePath: "b.md", state: "missing", mediaType: "text/plain" } as const;
	const { files, ...rest } = run("a", at(4), "checked");
	await panel([{ ...rest, files: [...files, saved], count: 3 }], { runId: rest.runId, relativePath: "b.md" });
	expect(screen.getByRole("button", { name: "Download missing files" })).toBeTruthy();
	expect(screen.getByText("Showing 2 of 3. The others aren’t listed.")).toBeTruthy();
	expect(await screen.findByText("This file isn’t in the folder.")).toBeTruthy();
});

it("says of an archived thread that it has to be restored before files can be downloaded", async () => {
	await panel([run("a", at(4), "missing")], undefined, { lifecycleStatus: "archived" });
	expect(screen.getByText(/Restore the thread to download those that the bridge still has\./)).toBeTruthy();
	expect(screen.queryByRole("button", { name: "Download missing files" })).toBeNull();
});

it("offers no download while no file is missing", async () => {
	await panel([run("a", at(4), "checked")]);
	expect(screen.queryByRole("button", { name: "Download missing files" })).toBeNull();
});

it("says that a run's archive has that run's versions, and the thread's has the files in the folder now", async () => {
	await panel([run("b", at(9), "checked"), run("a", at(4), "kept")]);
	const titles = screen.getAllByRole("button", { name: /^Download all/ }).map(({ title }) => title);
	expect(titles).toHaveLength(3);
	expect(titles[0]).toBe("Download all: each file as it is in the folder now, including edits, or the bridge’s copy if it isn’t there");
	for (const title of titles.slice(1)) {
		expect(title).toMatch(
			/^Download all files of the run from .*: this run’s versions, including edits unless a later run replaced the file$/,
		);
	}
});

it.each([true, false])("says what is in the place of a file, and offers the bridge's copy where there is one: %s", async (atBridge) => {
	const one = run("a", at(4), "blocked");
	const file = { relativePath: "a.md", state: "blocked", mediaType: "application/octet-stream", inPlace: "folder" } as const;
	await panel([{ ...one, files: [{ ...file, ...(atBridge && { atBridge }) }] }], { runId: one.runId, relativePath: "a.md" });
	const preview = screen.getByRole("region", { name: "Preview of a.md" });
	expect(preview.textContent).toContain(atBridge ? "A folder is in its place. This is the bridge’s copy." : "A folder is in its place.");
	expect(preview.textContent).not.toContain("isn’t in the folder");
	expect(screen.getByRole("listitem", { current: true }).textContent).toContain("BlockedA folder is in its place");
	expect(screen.getAllByTitle("A folder is in its place").length).toBeGreaterThan(0);
	expect(screen.queryAllByRole("link", { name: "Download a.md" }).length > 0).toBe(atBridge);
});

it.each([
	["checked", true],
	["edited", true],
	// Its own version is elsewhere: the path is that of a later run's file, or of none.
	["kept", false],
] as const)("offers the path and the editor only for the version that is at the path: %s", async (state, isOffered) => {
	const one = run("a", at(4), state);
	await panel([one], { runId: one.runId, relativePath: "a.md" });
	const preview = within(screen.getByRole("region", { name: "Preview of a.md" }));
	expect(preview.getByRole("link", { name: "Download a.md" })).toBeTruthy();
	for (const name of ["Copy path of a.md", "Open a.md in your editor"]) {
		expect(preview.queryByRole("button", { name }) !== null).toBe(isOffered);
	}
});

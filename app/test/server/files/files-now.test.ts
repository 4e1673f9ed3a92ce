import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AppChange, ThreadFiles } from "../../../src/api/ui-api.ts";
import { archiveRoute, fileRoute } from "../../../src/api/ui-routes.ts";
import { deliver } from "../../support/deliver.ts";
import { sha256 } from "../../support/fake-run.ts";
import { UiScene } from "../../support/ui-scene.ts";
import { until } from "../../support/until.ts";

type Notice = Extract<AppChange, { type: "files" }>;

describe("the files of a thread are those of the disk, whichever run delivered them", () => {
	it("[D9] a file edited after its run reads edited when a later message delivered nothing, and its preview is what is on disk", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(ui, { "report.md": "# as delivered", "data.csv": "a,b" }, {});
		writeFileSync(join(folder, "report.md"), "# my own words");
		const [run] = await list();
		expect(run?.files.map(({ relativePath, state }) => [relativePath, state])).toEqual([
			["report.md", "edited"],
			["data.csv", "checked"],
		]);
		expect((await ui.get(fileRoute(threadId, "run-1", "report.md", "inline"))).body).toBe("# my own words");
		rmSync(join(folder, "report.md"));
		expect((await list())[0]?.files[0]).toMatchObject({ state: "missing", atBridge: true });
	});

	it("[D9] all files of the thread come in one archive after a message without files, each as it is on disk", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder } = await deliver(
			ui,
			{ "a.md": "first a", "b.md": "first b", "c.md": "the same c" },
			{ "a.md": "second a", "c.md": "the same c" },
			{},
		);
		writeFileSync(join(folder, "b.md"), "my own b");
		const { status, body, headers } = await ui.get(archiveRoute(threadId, undefined, "tar"));
		expect(status).toBe(200);
		expect(headers["content-disposition"]).toContain(".tar");
		expect([body.includes("second a"), body.includes("my own b")]).toEqual([true, true]);
		expect([body.includes("first a"), body.includes("first b")]).toEqual([false, false]);
		expect(["second a", "my own b", "the same c"].map((text) => body.split(text).length - 1)).toEqual([1, 1, 1]);
		expect((await ui.get(archiveRoute("draft:none", undefined, "tar"))).status).toBe(404);
	});

	it("[D9] files beyond the 200 that have a hash stay with their run after a message without files", async () => {
		await using ui = await UiScene.open();
		const many = Object.fromEntries(Array.from({ length: 203 }, (_, index) => [`${String(index).padStart(3, "0")}.md`, `${index}`]));
		const { threadId, list } = await deliver(ui, many, {});
		const [run] = await list();
		expect(run?.files.map(({ state }) => state)).toEqual([...Array(200).fill("checked"), ...Array(3).fill("unlisted")]);
		expect((await ui.get(fileRoute(threadId, "run-1", "202.md", "inline"))).body).toBe("202");
	});

	it("[D9] what a failed run left at the bridge does not make the saved file of its name an edited one", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(ui, { "a.md": "saved" });
		ui.scene.bridge.onRun = (run) => void run.end("artifact_missing", { "a.md": "never saved" }, "REQUIRED_ARTIFACT_MISSING");
		await ui.scene.end(await ui.scene.send("more", threadId));
		const runs = await list();
		expect(runs.map(({ runId, files }) => [runId, files[0]?.state])).toEqual([
			["run-2", "unsaved"],
			["run-1", "checked"],
		]);
		expect(runs[0]?.files[0]).toMatchObject({ atBridge: true });
		expect((await ui.get(fileRoute(threadId, "run-2", "a.md", "inline"))).body).toBe("never saved");
		expect((await ui.get(fileRoute(threadId, "run-1", "a.md", "inline"))).body).toBe("saved");
		// Its agent may have written into the folder itself.
		writeFileSync(join(folder, "a.md"), "never saved");
		expect((await list()).map(({ files }) => files[0]?.state)).toEqual(["checked", "replaced"]);
		expect((await ui.get(fileRoute(threadId, "run-1", "a.md", "inline"))).body).toBe("saved");
		// Something else in its place does not block a file that was never to be there.
		rmSync(join(folder, "a.md"));
		mkdirSync(join(folder, "a.md"));
		expect((await list()).map(({ files }) => files[0]?.state)).toEqual(["unsaved", "blocked"]);
	});
});

describe("the files of a run that did not succeed", () => {
	it("were never saved in the folder, so none of them is missing from it, and the bridge's copy opens", async () => {
		await using ui = await UiScene.open();
		const { threadId, list } = await deliver(ui, { "a.md": "saved" });
		ui.scene.bridge.onRun = (run) => void run.end("cancelled", { "half.md": "half" });
		await ui.scene.end(await ui.scene.send("more", threadId));
		const [stopped] = await list();
		expect(stopped?.files).toMatchObject([{ relativePath: "half.md", state: "unsaved", atBridge: true }]);
		expect((await ui.get(fileRoute(threadId, "run-2", "half.md", "inline"))).body).toBe("half");
		const { body } = await ui.get(archiveRoute(threadId, undefined, "tar"));
		expect([body.includes("saved"), body.includes("half")]).toEqual([true, false]);
	});
});

describe("the files of a run that was cut", () => {
	it("were not collected, so the run is listed with the folder that it worked in", async () => {
		await using ui = await UiScene.open();
		const { threadId, list } = await deliver(ui, { "a.md": "saved" });
		ui.scene.bridge.onRun = (run) => {
			run.workedIn = "/home/u/bridge/workspaces/t/run-2";
			run.end("interrupted", {}, "BRIDGE_RESTARTED");
		};
		await ui.scene.end(await ui.scene.send("more", threadId));
		expect(await list()).toMatchObject([{ runId: "run-2", files: [], workedIn: "/home/u/bridge/workspaces/t/run-2" }, { runId: "run-1" }]);
	});
});

describe("the files of a run that are being saved", () => {
	it("are not called missing", async () => {
		await using ui = await UiScene.open();
		const { threadId, list } = await deliver(ui, { "a.md": "saved" });
		ui.scene.bridge.onFile = (content, path) => (path === "slow.md" ? "hang" : content);
		ui.scene.bridge.onRun = (run) => void run.end("completed", { "slow.md": "on its way" });
		await ui.scene.send("more", threadId);
		await until("its file is on its way", () => ui.scene.bridge.hanging === 1);
		const [now, before] = await list();
		expect(now).toMatchObject({ syncStatus: "syncing", files: [{ relativePath: "slow.md", state: "saving" }] });
		expect(before?.files).toMatchObject([{ state: "checked" }]);
	});
});

describe("a run's file that a later run replaced", () => {
	it("is its kept version, and opens, even if a link is in the place of the later run's file", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(ui, { "a.md": "the first one" });
		ui.scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "the second" });
		await ui.scene.end(await ui.scene.send("more", threadId));
		const states = async () => (await list()).map(({ files }) => files.map(({ state, inPlace }) => [state, inPlace]));
		expect(await states()).toEqual([[["checked", undefined]], [["kept", undefined]]]);
		rmSync(join(folder, "a.md"));
		symlinkSync("/etc/passwd", join(folder, "a.md"));
		expect(await states()).toEqual([[["blocked", "link"]], [["kept", undefined]]]);
		expect((await ui.get(fileRoute(threadId, "run-1", "a.md", "inline"))).body).toBe("the first one");
		rmSync(join(folder, ".versions"), { recursive: true });
		expect(await states()).toEqual([[["blocked", "link"]], [["blocked", "link"]]]);
	});

	it("is missing, and not an earlier version, if a later run delivered the same bytes again and its file was deleted", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(
			ui,
			{ "a.md": "the first one" },
			{ "a.md": "the second" },
			{ "a.md": "the first one" },
		);
		rmSync(join(folder, "a.md"));
		expect((await list()).map(({ runId, files }) => [runId, files[0]?.state])).toEqual([
			["run-3", "missing"],
			["run-2", "kept"],
			["run-1", "kept"],
		]);
		expect((await ui.get(fileRoute(threadId, "run-3", "a.md", "inline"))).body).toBe("the first one");
	});
});

describe("a version of the user's own that a run's file replaced", () => {
	it("is listed with that run, under the name it is kept as, and opens", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(ui, { "in/data.csv": "1,2", "same.md": "same", "plain.md": "first" });
		writeFileSync(join(folder, "in/data.csv"), "my own, 3");
		ui.scene.bridge.onRun = (run) => void run.end("completed", { "in/data.csv": "4,5", "same.md": "same", "plain.md": "second" });
		await ui.scene.end(await ui.scene.send("more", threadId));
		const [now, before] = await list();
		const digits = sha256("my own, 3").slice(0, 8);
		const keptAs = `.versions/run-2/in/data.csv~${digits}`;
		expect(now?.setAside).toEqual([{ relativePath: "in/data.csv", digits, keptAs, sizeBytes: 9 }]);
		expect(before?.setAside).toBeUndefined();
		// What an earlier run delivered is that run's, and is listed there.
		expect(before?.files.map(({ relativePath, state }) => [relativePath, state])).toContainEqual(["plain.md", "kept"]);
		const opened = await ui.get(fileRoute(threadId, "run-2", "in/data.csv", "inline", digits));
		expect([opened.status, opened.body]).toEqual([200, "my own, 3"]);
		expect(opened.headers["content-disposition"]).toContain("data.csv");
		expect((await ui.get(fileRoute(threadId, "run-2", "in/data.csv", "inline", "00000000"))).status).toBe(404);
		expect((await ui.get(fileRoute(threadId, "run-2", "in/data.csv", "inline", "../../a"))).status).toBe(400);
	});

	it("is not one that was put among the kept ones as a link", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(ui, { "a.md": "a" });
		mkdirSync(join(folder, ".versions/run-1"), { recursive: true });
		symlinkSync("/etc/passwd", join(folder, ".versions/run-1/a.md~0123abcd"));
		expect((await list())[0]?.setAside).toBeUndefined();
		expect((await ui.get(fileRoute(threadId, "run-1", "a.md", "inline", "0123abcd"))).status).not.toBe(200);
	});
});

describe("a page that shows a thread", () => {
	it("[D9] is told when a file is edited, replaced, moved away or put back on disk", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(ui, { "report.md": "# one", "in/deep.md": "deep" }, {});
		await using page = await ui.page();
		expect((await ui.call("watchFiles", { threadId })).result).toEqual({ begun: true });
		expect((await ui.call("watchFiles", { threadId })).result).toEqual({ begun: false });
		const notices = () => page.seen.filter((change): change is Notice => change.type === "files");
		const states = async () => (await list())[0]?.files.map(({ state }) => state);
		const steps: readonly (readonly [string, () => void, readonly string[]])[] = [
			["an edit", () => writeFileSync(join(folder, "report.md"), "# two"), ["edited", "checked"]],
			[
				"a replacement, as editors save",
				() => {
					writeFileSync(join(folder, "mine"), "# one");
					renameSync(join(folder, "mine"), join(folder, "report.md"));
				},
				["checked", "checked"],
			],
			["a folder moved away", () => renameSync(join(folder, "in"), join(folder, "out")), ["checked", "missing"]],
			[
				"a folder made anew",
				() => {
					mkdirSync(dirname(join(folder, "in/deep.md")));
					writeFileSync(join(folder, "in/deep.md"), "other");
				},
				["checked", "edited"],
			],
		];
		for (const [what, change, expected] of steps) {
			const before = notices().length;
			change();
			await until(`the page is told of ${what}`, () => notices().length > before);
			await until(`${what} shows`, async () => JSON.stringify(await states()) === JSON.stringify(expected));
		}
		expect(notices().every((notice) => notice.threadId === threadId)).toBe(true);
	});

	it("is told when a folder that kept a file from being saved is gone, though nothing else changes", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(ui, { "a.md": "a" });
		mkdirSync(join(folder, "b.md"));
		ui.scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "a", "b.md": "b" });
		await ui.scene.end(await ui.scene.send("more", threadId));
		const states = async () => (await list())[0]?.files.map(({ state }) => state);
		await using page = await ui.page();
		await ui.call("watchFiles", { threadId });
		expect(await states()).toEqual(["checked", "blocked"]);
		rmSync(join(folder, "b.md"), { recursive: true });
		await until("the page is told", () => page.seen.some((change) => change.type === "files" && change.threadId === threadId));
		expect(await states()).toEqual(["checked", "missing"]);
	});

	it("is told when a version that was kept is gone, though nothing else changes", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(ui, { "a.md": "the first one" });
		writeFileSync(join(folder, "a.md"), "my own");
		ui.scene.bridge.onRun = (run) => void run.end("completed", { "a.md": "the second" });
		await ui.scene.end(await ui.scene.send("more", threadId));
		expect((await list())[0]?.setAside).toHaveLength(1);
		await using page = await ui.page();
		await ui.call("watchFiles", { threadId });
		rmSync(join(folder, ".versions"), { recursive: true });
		await until("the page is told", () => page.seen.some((change) => change.type === "files" && change.threadId === threadId));
		expect((await list())[0]?.setAside).toBeUndefined();
	});

	it("[D9] is told of files that a later run delivers, and of nothing in a thread that no page shows", async () => {
		await using ui = await UiScene.open();
		const first = await deliver(ui, { "a.md": "a" });
		const second = await deliver(ui, { "b.md": "b" });
		await using page = await ui.page();
		await ui.call("watchFiles", { threadId: first.threadId });
		writeFileSync(join(second.folder, "b.md"), "edited");
		ui.scene.bridge.onRun = (run) => void run.text("here").end("completed", { "late.md": "late" });
		await ui.scene.end(await ui.scene.send("more", first.threadId));
		writeFileSync(join(first.folder, "late.md"), "edited");
		const told = () => page.seen.filter((change) => change.type === "files").map((notice) => notice.threadId);
		await until("the page is told", () => told().length > 0);
		expect(new Set(told())).toEqual(new Set([first.threadId]));
		const { result } = await ui.call<ThreadFiles>("listFiles", { threadId: second.threadId });
		expect(result.runs[0]?.files[0]?.state).toBe("edited");
	});
});

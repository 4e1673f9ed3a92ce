import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { showThread } from "../../../src/cli/threads/thread-commands.ts";
import { threadFolder } from "../../../src/workspace/index.ts";
import { CoreScene } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

it("threads show marks a saved file that is missing or edited in the folder, and says what was rejected", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("done").end("completed", { "a.md": "a", "b.md": "b", "c.md": "c" });
	const sent = await scene.send("three files");
	const { threadId } = sent;
	await scene.end(sent);
	const shown = async (api: AppApi = scene.api) => {
		const console = new RecordingConsole();
		await showThread({ api, console, json: false }, threadId);
		return console.lines;
	};
	expect(await shown()).toEqual(expect.arrayContaining(["  a.md", "  b.md", "  c.md"]));
	const folder = threadFolder(scene.home, threadId);
	rmSync(join(folder, "b.md"));
	writeFileSync(join(folder, "c.md"), "mine");
	expect(await shown()).toEqual(expect.arrayContaining(["  a.md", "  b.md (Missing from folder)", "  c.md (Edited)"]));

	const listFiles: AppApi["listFiles"] = async (query) => {
		const files = await scene.api.listFiles(query);
		const rejected = [{ path: "link\u202e", reason: "symlink" as const }];
		return { ...files, runs: files.runs.map((run) => ({ ...run, rejected, rejectedCount: 3 })) };
	};
	expect((await shown({ ...scene.api, listFiles })).slice(-2)).toEqual([
		"  rejected: link⟨U+202E⟩ (symbolic link)",
		"  rejected: 3 files in total, 1 of them listed",
	]);
});

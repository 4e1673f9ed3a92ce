import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { syncThread } from "../../src/cli/thread-commands.ts";
import { CoreScene } from "../support/core-scene.ts";
import { RecordingConsole } from "../support/recording-console.ts";

it("says which files of earlier runs came back, that none is missing, or which cannot be had and why", async () => {
	await using scene = await CoreScene.open();
	const printed = async () => {
		const console = new RecordingConsole();
		await syncThread({ api: scene.core, console, json: false }, sent.threadId);
		return console.lines;
	};
	scene.bridge.onRun = (run) => void run.text("here").end("completed", { "a.md": "a" });
	const sent = await scene.send("make files");
	await scene.end(sent);
	expect(await printed()).toEqual(["Saved: 1 file", "  a.md"]);
	scene.bridge.onRun = (run) => void run.text("only words").end("completed");
	await scene.end(await scene.send("and?", sent.threadId));
	const none = "The last run delivered no files to save.";
	expect(await printed()).toEqual([none, "No file of the earlier runs is missing from the folder."]);
	const { folder } = await scene.core.showThread(sent.threadId);
	rmSync(join(folder, "a.md"));
	expect(await printed()).toEqual([none, "Fetched again from earlier runs: 1 file", "  a.md"]);
	rmSync(join(folder, "a.md"));
	scene.bridge.onFile = () => 410;
	expect(await printed()).toEqual([none, expect.stringMatching(/^Not fetched: a\.md \(.+\)$/)]);
});

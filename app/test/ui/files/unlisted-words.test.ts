import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AppApi, BroughtBack } from "../../../src/api/app-api.ts";
import { syncThread } from "../../../src/cli/threads/sync-thread.ts";
import type { Thread } from "../../../src/threads/index.ts";
import { PartialSyncs } from "../../../src/turns/partial-syncs.ts";
import { fetchedWords } from "../../../src/ui/turn/fetched-words.ts";
import { threadFolder } from "../../../src/workspace/index.ts";
import { AT } from "../../support/fake-run.ts";
import { fastSync } from "../../support/fast-bounds.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { StoredThreads } from "../../support/stored-threads.ts";
import { ended, freshThread, send, synced, tell, threadId, turnIdOf } from "../../support/thread-story.ts";

async function printed(thread: Thread, broughtBack: BroughtBack) {
	const console = new RecordingConsole();
	const api: Partial<AppApi> = { sync: async () => ({ ...thread, restored: [], unchanged: [], broughtBack }) };
	return [await syncThread({ api: api as AppApi, console, json: false }, threadId), console.lines];
}

it("says of files whose paths are unknown why they can't be had, and does not advise to try again", async () => {
	using threads = new StoredThreads();
	const { home, store, repository } = threads;
	threads.begin("one");
	const end = ended("one", (run) => run.end("completed", { "a.md": "a" }));
	const snapshot = { ...end.snapshot, artifacts: { ...end.snapshot.artifacts, count: 298 } };
	threads.tell([{ ...end, snapshot }], { snapshot });
	threads.tell([synced("one", [], "partial")]);
	threads.begin("two");
	threads.end("two");
	const folder = threadFolder(home, threadId);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "a.md"), "a");
	const nothing = () => Promise.reject(new Error("nothing is fetched"));
	const parts = {
		home,
		store,
		repository,
		source: { openTar: nothing, openFile: nothing },
		files: { list: nothing },
		bounds: fastSync,
		deletion: { isDeleting: () => false },
	};
	const noted: unknown[] = [];
	const partials = new PartialSyncs({ ...parts, fetchFailed: () => undefined, fault: (error) => void noted.push(error) });
	const back = await partials.bringBack(threadId);
	const line = "Not downloaded: 297 more (only the first 200 files of a run are listed if its files were not saved)";
	const thread = repository.get(threadId);
	expect(await printed(thread, back)).toEqual([8, ["The last run delivered no files.", line, "  Ask for the files in a new message."]]);
	expect(fetchedWords({ ...thread, restored: [], unchanged: [], broughtBack: back })).toBe(`${line}.`);
});

it("says of a message that may have been sent that the outcome is unknown, not that its run was interrupted", async () => {
	const detail = { code: "STORE_RESTORED", message: "It may have been sent." };
	const thread = tell(freshThread(), send("one"), { type: "lose", turnId: turnIdOf("one"), at: AT, detail });
	const unknown = "XWorkmate can't tell whether the last run delivered files.";
	expect(await printed(thread, { paths: [], lacking: [] })).toEqual([
		1,
		[unknown, "No files of earlier runs are missing from the folder."],
	]);
});

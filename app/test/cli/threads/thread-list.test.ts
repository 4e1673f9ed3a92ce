import { Activity, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { type AppApi, LISTED_THREADS } from "../../../src/api/app-api.ts";
import { RemoteAppError } from "../../../src/api/remote-app.ts";
import { listTasks, type TaskFilter } from "../../../src/cli/threads/list-tasks.ts";
import { listThreads, showThread } from "../../../src/cli/threads/thread-commands.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { CoreScene } from "../../support/core-scene.ts";
import { AT } from "../../support/fake-run.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

async function printed(api: AppApi, archived = false, json = false): Promise<readonly string[]> {
	const console = new RecordingConsole();
	await listThreads({ api, console, json }, archived);
	return console.lines;
}

it("says that there are no threads yet only where there is none, and else how many are archived", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("done").end("completed");
	const end = async (prompt: string) => {
		const sent = await scene.send(prompt);
		await scene.end(sent);
		return sent.threadId;
	};
	expect(await printed(scene.api)).toEqual(['No threads yet. Start one: npm run -s xworkmate -- run "..."']);
	const first = await end("one");
	await scene.api.archiveThread({ threadId: first });
	expect(await printed(scene.api)).toEqual(["1 thread is archived. List it: npm run -s xworkmate -- threads list --archived"]);
	await scene.api.archiveThread({ threadId: await end("two") });
	expect(await printed(scene.api)).toEqual(["2 threads are archived. List them: npm run -s xworkmate -- threads list --archived"]);
	expect(await printed(scene.api, false, true)).toEqual(["[]"]);
	await scene.api.restoreThread({ threadId: first });
	expect(await printed(scene.api)).toEqual([expect.stringContaining("one")]);
	await scene.api.archiveThread({ threadId: first });
	const archived = await scene.api.listThreads({ archived: true });
	const many = Array.from({ length: LISTED_THREADS }, () => archived)
		.flat()
		.slice(0, LISTED_THREADS);
	const api: Pick<AppApi, "listThreads" | "gatewayQueue"> = {
		listThreads: async (query) => (query.archived ? many : []),
		gatewayQueue: () => scene.api.gatewayQueue(),
	};
	expect(await printed(api as AppApi)).toEqual([expect.stringMatching(/^500 or more threads are archived\. List them: /)]);
	const listed = await printed(api as AppApi, true);
	expect(listed).toHaveLength(LISTED_THREADS + 1);
	expect(listed.at(-1)).toBe("A list contains at most 500 threads, so there may be older ones.");
});

it("lists pinned threads first, and in the archive by their time alone", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("done").end("completed");
	for (const prompt of ["one", "two", "three"]) await scene.end(await scene.send(prompt));
	const titles = async (archived = false) => {
		const listed: readonly { title: string }[] = JSON.parse((await printed(scene.api, archived, true)).join(""));
		return listed.map(({ title }) => title);
	};
	expect(await titles()).toEqual(["three", "two", "one"]);
	const [, , one] = await scene.api.listThreads({ archived: false });
	if (one === undefined) throw new Error("it was not listed");
	await scene.api.markThread({ threadId: one.threadId, pinned: true });
	expect(await titles()).toEqual(["one", "three", "two"]);
	expect((await printed(scene.api))[0]).toMatch(/one {2}pinned$/);
	for (const { threadId } of await scene.api.listThreads({ archived: false })) await scene.api.archiveThread({ threadId });
	const archived = await scene.api.listThreads({ archived: true });
	expect(archived.map(({ updatedAt }) => updatedAt)).toEqual(
		archived
			.map(({ updatedAt }) => updatedAt)
			.toSorted()
			.toReversed(),
	);
	await scene.api.markThread({ threadId: one.threadId, pinned: false });
	expect(await titles()).toEqual([]);
});

it("says of the archive that it is empty", async () => {
	await using scene = await CoreScene.open();
	expect(await printed(scene.api, true)).toEqual(["No archived threads."]);
});

it("says that a run waits for its user, as the page does, and no longer once it was answered", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.asks("go");
	const { threadId } = await scene.send("may it?");
	const pending = async () => (await scene.api.listApprovals({ state: "pending" })).length;
	await expect.poll(pending).toBe(1);
	const shown = async () => {
		const console = new RecordingConsole();
		await showThread({ api: scene.api, console, json: false }, threadId);
		return console.lines.join("\n");
	};
	await expect.poll(async () => (await printed(scene.api)).join()).toContain("Needs you");
	const lines = await shown();
	expect(lines.match(/Needs you/g)).toHaveLength(2);
	expect(lines).not.toContain("Running");
	const run = scene.bridge.runs[0];
	run?.asks("go", "allow_once");
	expect((await printed(scene.api)).join()).toContain("Running");
	expect(await shown()).not.toContain("Needs you");
});

it("says as of when a run was running, when the bridge cannot be asked whether it waits", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("working");
	await scene.send("on");
	await expect.poll(async () => (await printed(scene.api)).join()).toMatch(/Running {2}on$/);
	const api: AppApi = { ...scene.api, listApprovals: () => Promise.reject(new Error("away")) };
	const [thread] = await scene.api.listThreads({ archived: false });
	expect((await printed(api)).join()).toContain(`Running as of ${localTime(thread?.updatedAt ?? "", Date.now())}`);
});

it("tasks says as of when a run was running, when the bridge does not answer", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("working");
	await scene.send("on");
	await expect.poll(async () => (await printed(scene.api)).join()).toMatch(/Running {2}on$/);
	const runs = async (api: AppApi, json = false) => {
		const console = new RecordingConsole();
		const error = await listTasks({ api, console, json }, {}).then(
			() => undefined,
			(thrown: unknown) => thrown,
		);
		return { error, lines: console.lines, notes: console.notes };
	};
	const tasks = async () => ({ items: scene.bridge.runs.map((run) => run.summary()) });
	const near: AppApi = { ...scene.api, tasks };
	expect((await runs(near)).lines).toEqual([expect.stringMatching(/^run-1 {2}(?:\S+ )*\d\d:\d\d {2}Running {2}\w+$/)]);
	const deaf: AppApi = { ...near, listApprovals: () => Promise.reject(new Error("away")) };
	expect((await runs(deaf)).lines).toEqual([expect.stringMatching(/^run-1 .*Running as of \d\d:\d\d {2}/)]);
	scene.bridge.fault = () => ({ kind: "status", status: 503 });
	const away = await runs(scene.api);
	expect(away.error).toMatchObject({ code: "ACP_HTTP_503" });
	expect(away.lines).toEqual([expect.stringMatching(/^run-1 {2}(?:\S+ )*\d\d:\d\d {2}Running as of \d\d:\d\d {2}on$/)]);
	expect(away.notes.join()).toContain("The bridge's list of runs can't be read, so these");
	expect((await runs(scene.api, true)).lines).toEqual([]);
});

it("tasks says what the app knows of a run that ended, when the bridge does not answer", async () => {
	await using scene = await CoreScene.open();
	const call = { toolCallId: "c1", toolId: "codex:execute", risk: "destructive", origin: "reported", when: AT, receiptRef: "run-1.2" };
	const items = [{ ...call, status: "failed", code: "TOOL_FAILED", words: "npm test" }];
	const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 1 };
	scene.bridge.onRun = (run) => {
		run.checked = { activity: Activity.parse({ runId: "run-1", completed: 0, counts, items, truncated: false }) };
		run.text("done").end("completed");
	};
	await scene.end(await scene.send("on"));
	scene.bridge.fault = () => ({ kind: "status", status: 503 });
	const console = new RecordingConsole();
	await expect(listTasks({ api: scene.api, console, json: false }, {})).rejects.toMatchObject({ code: "ACP_HTTP_503" });
	expect(console.lines).toEqual([expect.stringMatching(/^run-1 .* Succeeded · 1 command failed {2}on$/)]);
});

it("tasks says of a run that not all of its files were saved, whether or not the bridge answers, also if it is not its thread's newest", async () => {
	await using scene = await CoreScene.open({ sync: { attempts: 1 } });
	scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a" });
	scene.bridge.onFile = () => 503;
	const sent = await scene.send("on");
	const { threadId } = sent;
	await scene.end(sent);
	scene.bridge.onRun = (run) => void run.text("done").end("completed");
	await scene.end(await scene.send("more", threadId));
	const tasks = async () => ({ items: scene.bridge.runs.map((run) => run.summary()).reverse() });
	const expected = [expect.stringMatching(/^run-2 .* {2}Succeeded {2}/), expect.stringMatching(/^run-1 .* {2}Not all files saved {2}/)];
	const near = new RecordingConsole();
	await listTasks({ api: { ...scene.api, tasks }, console: near, json: false }, {});
	expect(near.lines).toEqual(expected);
	scene.bridge.fault = () => ({ kind: "status", status: 503 });
	const away = new RecordingConsole();
	await expect(listTasks({ api: scene.api, console: away, json: false }, {})).rejects.toMatchObject({ code: "ACP_HTTP_503" });
	expect(away.lines).toEqual(expected);
});

it("tasks lists every run that the app knows of, newest first, when the bridge does not answer, and says when there are more", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("done").end("completed");
	const one = await scene.send("one");
	await scene.end(one);
	await scene.end(await scene.send("another", one.threadId));
	const two = await scene.send("two");
	await scene.end(two);
	await scene.end(await scene.send("once more", one.threadId));
	await scene.api.archiveThread({ threadId: one.threadId });
	scene.bridge.fault = () => ({ kind: "status", status: 503 });
	const listed = async (filter: TaskFilter) => {
		const console = new RecordingConsole();
		await expect(listTasks({ api: scene.api, console, json: false }, filter)).rejects.toMatchObject({ code: "ACP_HTTP_503" });
		return console.lines.map((line) => line.replace(/ {2}.*Succeeded {2}/, " "));
	};
	expect(await listed({})).toEqual(["run-4 one", "run-3 two", "run-2 one", "run-1 one"]);
	expect(await listed({ thread: one.threadId })).toEqual(["run-4 one", "run-2 one", "run-1 one"]);
	expect(await listed({ limit: 3 })).toEqual([
		...["run-4 one", "run-3 two", "run-2 one"],
		"There are more: npm run -s xworkmate -- tasks --limit 50",
	]);
	expect(await listed({ limit: 1, thread: two.threadId })).toEqual(["run-3 two"]);
	expect(await listed({ thread: ThreadId.parse("nope") })).toEqual([]);
});

it("tasks still says that the bridge does not answer if the app is of an earlier version, which does not list its runs", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.fault = () => ({ kind: "status", status: 503 });
	const knownRuns = () => Promise.reject(new RemoteAppError({ code: "NOT_FOUND", message: "There is nothing at this address." }));
	const output = { api: { ...scene.api, knownRuns }, console: new RecordingConsole(), json: false };
	await expect(listTasks(output, {})).rejects.toMatchObject({ code: "ACP_HTTP_503" });
});

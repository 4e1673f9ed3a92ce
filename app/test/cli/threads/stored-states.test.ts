import { expect, it } from "vitest";
import { listThreads, showThread } from "../../../src/cli/threads/thread-commands.ts";
import { openApp } from "../../../src/core/open-app.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { CoreScene, held } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { until } from "../../support/until.ts";

/** A thread whose run is in progress, and what the two commands print of it. */
async function underWay(scene: CoreScene) {
	held(scene.bridge);
	const { threadId } = await scene.send("x");
	const thread = async () => (await scene.api.showThread({ threadId })).thread;
	await until("the run is known", async () => (await thread()).turns.at(-1)?.lastSeq === 2);
	const printed = async (json = false) => {
		const console = new RecordingConsole();
		const output = { api: scene.api, console, json };
		await listThreads(output, false);
		await showThread(output, threadId);
		return console.lines;
	};
	return { thread, printed };
}

it("a run is listed as running while the bridge is heard of about it", async () => {
	await using scene = await CoreScene.open();
	const { printed } = await underWay(scene);
	const [listed, ...shown] = await printed();
	expect(listed).toContain("  Running  x");
	expect(shown.join("\n")).not.toContain("as of");
});

it("a run that was asked to stop is not simply running: the request is told with its time, and what it has answered so far", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => {
		run.ignoresCancel = true;
		run.text("Half of the ", "answer.");
	};
	const { threadId, turnId } = await scene.send("x");
	const thread = async () => (await scene.api.showThread({ threadId })).thread;
	await until("the answer is known", async () => (await thread()).turns.at(-1)?.lastSeq === 3);
	await scene.api.cancelTurn({ threadId, turnId });
	const at = (await thread()).turns[0]?.cancelRequestedAt ?? "";
	const stop = `Stop requested at ${localTime(at, Date.now())}, waiting for confirmation`;
	const console = new RecordingConsole();
	await listThreads({ api: scene.api, console, json: false }, false);
	await showThread({ api: scene.api, console, json: false }, threadId);
	expect(console.lines[0]).toContain(`  ${stop}  x`);
	expect(console.lines.filter((line) => line.includes(stop))).toHaveLength(3);
	expect(console.lines.join("\n")).not.toMatch(/running/i);
	const from = console.lines.indexOf("  The answer so far:");
	expect(console.lines.slice(from)).toEqual(["  The answer so far:", "  Half of the answer."]);
});

it("a run is listed as of its last news while the bridge is away", async () => {
	await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
	const { printed, thread } = await underWay(scene);
	const { updatedAt } = await thread();
	await scene.bridge.down();
	await until("its loss is known", async () => (await printed())[0]?.includes("as of") ?? false);
	const lines = await printed();
	expect(lines[0]).toContain(`  Running as of ${localTime(updatedAt, Date.now())}  x`);
	expect(lines.filter((line) => /running(?! as of)/i.test(line))).toEqual([]);
	const [listed, shown] = (await printed(true)).map((line): unknown => JSON.parse(line));
	expect([listed, shown]).toEqual([[expect.objectContaining({ asOf: updatedAt })], expect.objectContaining({ asOf: updatedAt })]);
});

it("a run that only the app's own files tell of is listed as of its last news", async () => {
	await using scene = await CoreScene.open();
	const { printed, thread } = await underWay(scene);
	const { updatedAt } = await thread();
	await scene.app[Symbol.asyncDispose]();
	// As a command does that needs no bridge: nothing is resumed.
	scene.app = openApp({ home: scene.home });
	const lines = await printed();
	expect(lines[0]).toContain(`  Running as of ${localTime(updatedAt, Date.now())}  x`);
	expect(lines.filter((line) => /running(?! as of)/i.test(line))).toEqual([]);
});

it("a run that waits for its user is called so as soon as the bridge can be asked, also where its stream is not followed yet", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.asks("go");
	const { threadId } = await scene.send("may it?");
	await until("the request", async () => (await scene.api.listApprovals({ state: "pending" })).length === 1);
	await scene.app[Symbol.asyncDispose]();
	scene.app = openApp({ home: scene.home });
	const console = new RecordingConsole();
	const output = { api: scene.api, console, json: false };
	await listThreads(output, false);
	await showThread(output, threadId);
	expect(console.lines[0]).toContain("  Needs you  may it?");
	expect(console.lines.join("\n")).not.toMatch(/as of|Running/);
});

it("each line of what is said of a run is in the run's own lines", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) =>
		void Object.assign(run, { message: "The bridge was stopped.\nNo files were collected." }).end("interrupted", {}, "BRIDGE_STOPPED");
	const sent = await scene.send("x");
	await scene.end(sent);
	const console = new RecordingConsole();
	await showThread({ api: scene.api, console, json: false }, sent.threadId);
	expect(console.lines.join("\n")).toContain("\n  The bridge was stopped.\n  No files were collected.");
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Origin, OriginId, RunId, SessionId, sessionFolder, ThreadId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { listTasks } from "../../src/cli/threads/list-tasks.ts";
import { listThreads, showThread } from "../../src/cli/threads/thread-commands.ts";
import { CoreScene } from "../support/core-scene.ts";
import { FakeChanges } from "../support/fake-changes.ts";
import type { FakeRun } from "../support/fake-run.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { until } from "../support/until.ts";

const nightly: Origin = { kind: "operator", id: OriginId.parse("nightly") };
const elsewhere: Origin = { kind: "app", id: OriginId.parse("another app") };
const thread = ThreadId.parse("report-thread");

/** A core that follows its bridge's changes. */
async function following(): Promise<CoreScene & { readonly changes: FakeChanges }> {
	const scene = await CoreScene.open();
	const changes = new FakeChanges();
	scene.bridge.changes = changes;
	// A run does what the test says.
	scene.bridge.onRun = () => undefined;
	scene.app.resume();
	return Object.assign(scene, { changes });
}

/** A run that someone else submitted. */
function foreign({ bridge }: CoreScene, turnId: string, more: { origin?: Origin; prompt?: string; threadId?: ThreadId } = {}): FakeRun {
	const run = bridge.accept(more.threadId ?? thread, turnId);
	run.origin = more.origin;
	run.prompt = more.prompt ?? "write the report";
	return run;
}

async function shown({ api }: CoreScene, threadId = thread) {
	return (await api.listThreads({ archived: false })).find((one) => one.threadId === threadId);
}

const fileOf = ({ home }: CoreScene, path: string, threadId = thread) => join(home, "threads", sessionFolder(threadId), path);

it("shows the thread of a run that a program started, follows it, and saves its files", async () => {
	await using scene = await following();
	const run = foreign(scene, "t1", { origin: nightly, prompt: "write the report\nin two lines" });
	run.assistant = { unattended: true };
	run.isFresh = true;
	scene.changes.tell({ kind: "run", run: run.summary() });
	await until("the thread", async () => (await shown(scene)) !== undefined);
	expect(await shown(scene)).toMatchObject({ title: "write the report", lifecycleStatus: "running" });
	run.text("at work").end("completed", { "report.md": "# report" });
	await until("its end", async () => (await shown(scene))?.lifecycleStatus === "ready");
	expect(readFileSync(fileOf(scene, "report.md"), "utf8")).toBe("# report");
	const detail = await scene.api.readThread({ threadId: thread });
	expect(detail.turns).toMatchObject([
		{ turn: { status: "completed", syncStatus: "synced" }, request: { origin: nightly, fresh: true, assistant: { unattended: true } } },
	]);
	const { updates } = await scene.api.readUpdates({ threadId: thread, turnId: run.turnId, afterSeq: 0, limit: 100 });
	expect(updates).toEqual(run.log);
	expect(scene.bridge.countOf("session.start")).toBe(0);
	expect(scene.faults).toEqual([]);
});

it("the commands name the program that started a thread and its runs", async () => {
	await using scene = await following();
	const run = foreign(scene, "t1", { origin: nightly }).end("completed");
	scene.changes.tell({ kind: "run", run: run.summary() });
	await until("its end", async () => (await shown(scene))?.lifecycleStatus === "ready");
	const console = new RecordingConsole();
	const output = { api: scene.api, console, json: false };
	await showThread(output, thread);
	expect(console.lines).toContain("  Started by a program (nightly)");
	await listThreads({ ...output, json: true }, false);
	expect(JSON.parse(console.lines.at(-1) ?? "")).toMatchObject([{ threadId: thread, origin: nightly }]);
	const tasks = async () => ({ items: [run.summary(), { ...run.summary(), origin: elsewhere }] });
	await listTasks({ ...output, api: { ...scene.api, tasks } }, {});
	expect(console.lines.slice(-2).map((line) => line.split("  ").slice(4))).toEqual([["Started by a program (nightly)"], []]);
});

it("takes in what began and ended while it was away, once, and reads on after what it has read", async () => {
	await using scene = await following();
	await until("the subscription", () => scene.changes.open === 1);
	await scene.restart(() => {
		const run = foreign(scene, "t1", { origin: nightly }).text("at work");
		scene.changes.tell({ kind: "run", run: run.summary() });
		run.end("completed", { "report.md": "# report" });
		scene.changes.tell({ kind: "run", run: run.summary() });
	});
	await until("its end", async () => (await shown(scene))?.lifecycleStatus === "ready");
	expect(existsSync(fileOf(scene, "report.md"))).toBe(true);
	const calls = scene.bridge.countOf("xworkmate.tasks.input");
	await scene.restart();
	await until("the subscription after it", () => scene.changes.asked.at(-1) === scene.changes.cursor);
	expect((await scene.api.readThread({ threadId: thread })).turns).toHaveLength(1);
	expect(scene.bridge.countOf("xworkmate.tasks.input")).toBe(calls);
});

it("leaves another app's threads to that app", async () => {
	await using scene = await following();
	const theirs = foreign(scene, "t1", { origin: elsewhere });
	const unnamed = foreign(scene, "t1", { threadId: ThreadId.parse("of an app of before") });
	const last = foreign(scene, "t1", { origin: nightly, threadId: ThreadId.parse("last") });
	for (const run of [theirs, unnamed, last]) scene.changes.tell({ kind: "run", run: run.summary() });
	await until("the last one's thread", async () => (await shown(scene, last.threadId)) !== undefined);
	expect((await scene.api.listThreads({ archived: false })).map(({ threadId }) => threadId)).toEqual([last.threadId]);
	expect(scene.bridge.countOf("xworkmate.tasks.input")).toBe(1);
});

it("takes in a run of its own thread, whoever started it, and its own runs that its database does not know", async () => {
	await using scene = await following();
	const first = foreign(scene, "t1", { origin: nightly, threadId: ThreadId.parse("first") }).end("completed");
	scene.changes.tell({ kind: "run", run: first.summary() });
	await until("the first one's thread", async () => (await shown(scene, first.threadId)) !== undefined);
	scene.bridge.onRun = (run) => void run.end("completed");
	const sent = await scene.send("mine");
	await scene.end(sent);
	const [own] = scene.bridge.calls.filter(({ method }) => method === "session.start");
	expect(own?.params.origin).toMatchObject({ kind: "app", id: expect.stringMatching(/^app-/) });
	const theirs = foreign(scene, "t2", { origin: elsewhere, threadId: sent.threadId });
	const lost = foreign(scene, "t1", { origin: { kind: "app", id: OriginId.parse(Object(own?.params.origin).id) } });
	for (const run of [theirs, lost]) scene.changes.tell({ kind: "run", run: run.end("completed").summary() });
	await until("both", async () => (await shown(scene))?.lifecycleStatus === "ready");
	const { turns } = await scene.api.readThread({ threadId: sent.threadId });
	expect(turns.map(({ turn, request }) => [turn.turnId, request.origin])).toEqual([
		[sent.turnId, undefined],
		["t2", elsewhere],
	]);
	expect((await scene.api.readThread({ threadId: thread })).turns[0]?.request).not.toHaveProperty("origin");
});

it("waits with a run of a thread that is busy, and does not lose it over a restart", async () => {
	await using scene = await following();
	await until("the subscription", () => scene.changes.open === 1);
	const sent = await scene.send("mine");
	await until("the run", () => scene.bridge.runs.length === 1);
	const theirs = foreign(scene, "t2", { origin: nightly, threadId: sent.threadId }).end("completed", { "theirs.md": "theirs" });
	const last = foreign(scene, "t1", { origin: nightly });
	for (const run of [theirs, last]) scene.changes.tell({ kind: "run", run: run.summary() });
	await until("what came after it", async () => (await shown(scene)) !== undefined);
	expect((await scene.api.showThread({ threadId: sent.threadId })).thread.turns).toHaveLength(1);
	await scene.restart();
	expect((await scene.api.showThread({ threadId: sent.threadId })).thread.turns).toHaveLength(1);
	scene.bridge.runs[0]?.end("completed", { "mine.md": "mine" });
	await until("both turns", async () => {
		const { thread: now } = await scene.api.showThread({ threadId: sent.threadId });
		return now.turns.length === 2 && now.lifecycleStatus === "ready";
	});
	expect(["mine.md", "theirs.md"].map((path) => existsSync(fileOf(scene, path, sent.threadId)))).toEqual([true, true]);
	expect(scene.faults).toEqual([]);
});

it("does not bring a deleted thread back", async () => {
	await using scene = await following();
	const run = foreign(scene, "t1", { origin: nightly }).end("completed");
	scene.changes.tell({ kind: "run", run: run.summary() });
	await until("its end", async () => (await shown(scene))?.lifecycleStatus === "ready");
	await scene.api.deleteThread({ threadId: thread });
	const again = foreign(scene, "t2", { origin: nightly });
	const last = foreign(scene, "t1", { origin: nightly, threadId: ThreadId.parse("last") });
	for (const one of [again, last]) scene.changes.tell({ kind: "run", run: one.summary() });
	await until("the last one's thread", async () => (await shown(scene, last.threadId)) !== undefined);
	expect(await shown(scene)).toBeUndefined();
});

it("takes the next changes after one whose run was deleted meanwhile, and tries again what was not answered", async () => {
	await using scene = await following();
	const gone = { ...foreign(scene, "t1", { origin: nightly }).summary(), runId: RunId.parse("deleted"), turnId: TurnId.parse("deleted") };
	const run = foreign(scene, "t1", { origin: nightly, threadId: ThreadId.parse("second") });
	scene.bridge.fault = ({ method }, count) => (method === "xworkmate.tasks.input" && count === 2 ? { kind: "destroy" } : undefined);
	scene.changes.tell({ kind: "run", run: gone }, { kind: "run", run: run.summary() });
	await until("its thread", async () => (await shown(scene, run.threadId)) !== undefined);
	expect(await shown(scene)).toBeUndefined();
});

it("knows which bridge has a run that it adopted, and so that the run is not deleted while the app uses another one", async () => {
	await using scene = await following();
	const run = foreign(scene, "t1", { origin: nightly }).end("completed");
	scene.changes.tell({ kind: "run", run: run.summary() });
	await until("its end", async () => (await shown(scene))?.lifecycleStatus === "ready");
	expect(await scene.api.threadDeletion({ threadId: thread })).toMatchObject({ runs: 1 });
	const { url } = scene.bridge;
	await scene.restart(() => {
		scene.bridgeUrl = url;
	});
	expect(await scene.api.threadDeletion({ threadId: thread })).toMatchObject({ runs: 0, elsewhere: { runs: 1, own: true } });
	const next = foreign(scene, "t2", { origin: nightly, threadId: ThreadId.parse("next") }).end("completed");
	scene.changes.tell({ kind: "run", run: next.summary() });
	await until("the next one's end", async () => (await shown(scene, next.threadId))?.lifecycleStatus === "ready");
	await scene.restart(() => {
		scene.bridgeUrl = undefined;
	});
	const { threadId } = next;
	expect(await scene.api.threadDeletion({ threadId })).toMatchObject({ runs: 0, elsewhere: { runs: 1, addresses: [url] } });
});

it("continues an adopted thread in the session that it began in", async () => {
	await using scene = await following();
	const run = foreign(scene, "t1", { origin: nightly }).end("completed");
	scene.changes.tell({ kind: "run", run: { ...run.summary(), sessionId: SessionId.parse("the program's session") } });
	await until("its end", async () => (await shown(scene))?.lifecycleStatus === "ready");
	scene.bridge.onRun = (one) => void one.end("completed");
	await scene.end(await scene.send("go on", thread));
	const sent = scene.bridge.calls.find(({ method }) => method === "session.message");
	expect(sent?.params).toMatchObject({ threadId: thread, sessionId: "the program's session" });
});

it("says nothing of itself to a bridge of before, which takes no origin", async () => {
	await using scene = await CoreScene.open();
	scene.app.resume();
	await until("its answer", () => scene.bridge.countOf("xworkmate.changes.subscribe") === 1);
	await scene.end(await scene.send("mine"));
	expect(scene.bridge.calls.find(({ method }) => method === "session.start")?.params).not.toHaveProperty("origin");
	expect(scene.bridge.countOf("xworkmate.changes.subscribe")).toBeLessThan(5);
	expect(scene.faults).toEqual([]);
});

it("shows a request for approval as soon as it is asked, and its answer, whoever started the run", async () => {
	await using scene = await CoreScene.open({ bridgeAskMs: 600_000 });
	const changes = new FakeChanges();
	scene.bridge.changes = changes;
	scene.bridge.onRun = () => undefined;
	scene.app.resume();
	const seen: string[] = [];
	const window = scene.api.changes()[Symbol.asyncIterator]();
	const reading = (async () => {
		for await (const change of { [Symbol.asyncIterator]: () => window })
			if (change.type === "approval") seen.push(`${change.approval.approvalId} ${change.approval.state}`);
	})();
	await until("the subscription", () => changes.open === 1);
	const run = foreign(scene, "t1", { origin: elsewhere }).asks("delete");
	for (const approval of run.approvals.values()) changes.tell({ kind: "approval", approval });
	await until("the request", () => seen.length === 1);
	run.asks("delete", "deny");
	for (const approval of run.approvals.values()) changes.tell({ kind: "approval", approval });
	await until("the answer", () => seen.length === 2);
	expect(seen).toEqual(["delete pending", "delete decided"]);
	await window.return?.();
	await reading;
});

import { join } from "node:path";
import type { ThreadId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { SentTurn } from "../../src/api/app-api.ts";
import { listThreads } from "../../src/cli/threads/thread-commands.ts";
import { localTime } from "../../src/text/local-time.ts";
import { CoreScene, held } from "../support/core-scene.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { until } from "../support/until.ts";

/** Changes the app's database behind the app's back. */
function change(home: string, sql: string): void {
	using stack = new DisposableStack();
	stack.adopt(new Database(join(home, "app", "app.sqlite")), (db) => db.close()).exec(sql);
}

/** Lets the app's database take nothing about turns, as a full disk does, until it is told to. */
function unwritable(home: string): Disposable {
	change(home, "CREATE TRIGGER no_room BEFORE UPDATE ON turns BEGIN SELECT RAISE(ABORT, 'no room'); END");
	return { [Symbol.dispose]: () => change(home, "DROP TRIGGER no_room") };
}

/** Lets no turn, or none of a thread, be read, as a damaged page of the database does, until it is told to. */
function unreadable(home: string, threadId?: ThreadId): Disposable {
	const only = threadId === undefined ? "" : ` WHERE thread = (SELECT id FROM threads WHERE thread_id = '${threadId}')`;
	change(home, `UPDATE turns SET status = 'damaged ' || status${only}`);
	return { [Symbol.dispose]: () => change(home, "UPDATE turns SET status = substr(status, length('damaged ') + 1)") };
}

/** A run that goes on while what it says can't be written. */
async function unwritten(scene: CoreScene) {
	const run = held(scene.bridge);
	const sent = await scene.send("x");
	await until("the run is known", async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.turns.at(-1)?.lastSeq === 2);
	const blocked = unwritable(scene.home);
	run().text("more");
	await until("that fails", () => scene.faults.length > 0);
	return { sent, blocked };
}

it("a run whose news can't be written is listed as of its last news, by the command and by the page", async () => {
	await using scene = await CoreScene.open();
	const { sent } = await unwritten(scene);
	const { asOf, thread } = await scene.api.showThread({ threadId: sent.threadId });
	expect(asOf).toBe(thread.updatedAt);
	const console = new RecordingConsole();
	await listThreads({ api: scene.api, console, json: false }, false);
	expect(console.lines[0]).toContain(`  Running as of ${localTime(thread.updatedAt, Date.now())}  x`);
	const changes = scene.api.changes()[Symbol.asyncIterator]();
	const first = await changes.next();
	await changes.return?.();
	expect(first.value).toMatchObject({ state: { threads: [{ asOf: thread.updatedAt }] } });
});

it("a stop that can't be written is refused, and the bridge is told all the same: the run may be what fills the disk", async () => {
	await using scene = await CoreScene.open();
	const { sent, blocked } = await unwritten(scene);
	await expect(scene.api.cancelTurn({ threadId: sent.threadId, turnId: sent.turnId })).rejects.toThrow("no room");
	expect(scene.bridge.countOf("xworkmate.tasks.cancel")).toBe(1);
	const { runId } = (await scene.api.showThread({ threadId: sent.threadId })).thread.turns[0] ?? {};
	if (runId === undefined) throw new Error("the run has no id");
	await expect(scene.api.cancel({ runId })).rejects.toThrow("no room");
	expect(scene.bridge.countOf("xworkmate.tasks.cancel")).toBe(2);
	await scene.bridge.down();
	await expect(scene.api.cancelTurn({ threadId: sent.threadId, turnId: sent.turnId })).rejects.toThrow("no room");
	blocked[Symbol.dispose]();
});

it("a stop that is written once there is room again reaches the bridge at once", async () => {
	await using scene = await CoreScene.open();
	const { sent, blocked } = await unwritten(scene);
	await expect(scene.api.cancelTurn({ threadId: sent.threadId, turnId: sent.turnId })).rejects.toThrow("no room");
	blocked[Symbol.dispose]();
	const end = scene.end(sent);
	await scene.api.cancelTurn({ threadId: sent.threadId, turnId: sent.turnId });
	expect((await end).turn.status).toBe("cancelled");
});

it("a run whose thread can't be read stays in the app's care, and goes on once it can be", async () => {
	await using scene = await CoreScene.open({ client: { recoveryMs: 10_000 } });
	const run = held(scene.bridge);
	const sent = await scene.send("x");
	await until("the run is known", async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.turns.at(-1)?.lastSeq === 2);
	// After a restart, the app reads the thread from its database each time, until it has something to write about it.
	await scene.restart(() => scene.bridge.down());
	const damaged = unreadable(scene.home);
	await until("the run and then the thread could not be read", () => scene.faults.length > 1);
	expect(scene.app.hasActiveTurns()).toBe(true);
	damaged[Symbol.dispose]();
	await scene.bridge.listen();
	const end = scene.end(sent);
	await scene.api.cancelTurn({ threadId: sent.threadId, turnId: sent.turnId });
	expect((await end).turn.status).toBe("cancelled");
	expect(run().runId).toBe((await end).turn.runId);
});

it("an app takes up its other runs although a thread with an active run can't be read when it opens", async () => {
	await using scene = await CoreScene.open({ client: { recoveryMs: 10_000 } });
	const isKnown = async ({ threadId }: SentTurn) => (await scene.api.showThread({ threadId })).thread.turns.at(-1)?.lastSeq === 2;
	held(scene.bridge);
	const first = await scene.send("x");
	await until("the first run is known", () => isKnown(first));
	const run = held(scene.bridge);
	const second = await scene.send("y");
	await until("the second run is known", () => isKnown(second));
	await scene.restart(() => void unreadable(scene.home, first.threadId));
	const end = scene.end(second);
	run().end("completed");
	expect((await end).turn.status).toBe("completed");
	expect(scene.faults).not.toEqual([]);
});

it("a run whose first news can't be written is said to fail here, and is told of a stop all the same", async () => {
	await using scene = await CoreScene.open();
	const blocked = unwritable(scene.home);
	held(scene.bridge);
	const { threadId, turnId } = await scene.send("x");
	const events = scene.api.watch({ threadId, turnId })[Symbol.asyncIterator]();
	await until("that fails", () => scene.faults.length > 0);
	expect((await events.next()).value).toMatchObject({ type: "connection_lost", local: true });
	await events.return?.();
	await expect(scene.api.cancelTurn({ threadId, turnId })).rejects.toThrow("no room");
	expect(scene.bridge.calls.find(({ method }) => method === "xworkmate.tasks.cancel")?.params).toMatchObject({ threadId, turnId });
	blocked[Symbol.dispose]();
});

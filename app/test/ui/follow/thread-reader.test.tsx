import { RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunFiles, ThreadDetail, ThreadFiles, TurnDetail } from "../../../src/api/ui-api.ts";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { at, ended } from "../stories.ts";

const threadId = ThreadId.parse("thread1");

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
});
afterEach(() => app[Symbol.dispose]());

function turn(name: string, lastSeq = 5): TurnDetail {
	const story = ended({}, undefined);
	return { ...story, turn: { ...story.turn, turnId: TurnId.parse(name), lastSeq } };
}

function detail(turns: readonly TurnDetail[], more: Partial<ThreadDetail> = {}): ThreadDetail {
	const ids = { threadId, sessionId: SessionId.parse("session1"), title: "a story", lifecycleStatus: "ready" } as const;
	const times = { createdAt: at(0), updatedAt: at(0), deleted: false };
	const thread = { ...ids, ...times, lastTaskArtifactRelativePaths: [], turns: turns.map((one) => one.turn) };
	return { thread, turns, folder: "/x", queued: [], queueHeld: false, ...more };
}

function run(name: string, count = 1): RunFiles {
	const ids = { turnId: TurnId.parse(name), runId: RunId.parse(`run-${name}`), createdAt: at(0) };
	return { ...ids, current: false, files: [], count, totalBytes: 0, rejected: [], rejectedCount: 0 };
}

describe("the open thread", () => {
	it("is what the app has, when it is sent what changed alone", async () => {
		const all = [turn("t1"), turn("t2"), turn("t3")];
		const details: ThreadDetail[] = [
			detail(all, { mark: "a" }),
			detail([turn("t2", 9), turn("t4")], { mark: "b", since: "a" }),
			detail([], { mark: "c", since: "b" }),
			detail([turn("t1")], { mark: "d" }),
		];
		const files: ThreadFiles[] = [
			{ folder: "/x", mark: "f", runs: [run("t3"), run("t2"), run("t1")] },
			{ folder: "/x", mark: "g", since: "f", runs: [run("t4"), run("t2", 7)] },
			{ folder: "/x", mark: "h", since: "g", runs: [] },
			{ folder: "/x", mark: "i", runs: [run("t1")] },
		];
		app.answers.set("readThread", () => details.shift());
		app.answers.set("listFiles", () => files.shift());
		const reader = new ThreadReader(threadId);
		const shown = () => ({
			turns: reader.open.value.detail?.turns.map((one) => [one.turn.turnId, one.turn.lastSeq]),
			thread: reader.open.value.detail?.thread.turns.map(({ turnId, lastSeq }) => [turnId, lastSeq]),
			runs: reader.open.value.files?.runs.map(({ turnId, count }) => [turnId, count]),
		});
		await reader.read();
		const first = reader.open.value.detail?.turns[0];
		await reader.read();
		const turns = [
			["t1", 5],
			["t2", 9],
			["t3", 5],
			["t4", 5],
		];
		const runs = [
			["t4", 1],
			["t3", 1],
			["t2", 7],
			["t1", 1],
		];
		expect(shown()).toEqual({ turns, thread: turns, runs });
		await reader.read();
		expect(shown()).toEqual({ turns, thread: turns, runs });
		expect(reader.open.value.detail?.turns[0]).toBe(first);
		// An app that was started again sends everything.
		await reader.read();
		expect(shown()).toEqual({ turns: [["t1", 5]], thread: [["t1", 5]], runs: [["t1", 1]] });
		const asked = (method: string) => app.calls.filter((call) => call.method === method).map(({ params }) => params.since);
		expect([asked("readThread"), asked("listFiles")]).toEqual([
			[undefined, "a", "b", "c"],
			[undefined, "f", "g", "h"],
		]);
		reader.close();
	});
});

import { join } from "node:path";
import { openArtifactContract } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { TurnChanges } from "../../src/threads/turn-changes.ts";
import { CoreScene } from "../support/core-scene.ts";
import { StoredThreads } from "../support/stored-threads.ts";
import { ended, send, threadId } from "../support/thread-story.ts";

const created = {
	request: { prompt: "next", routing: { executionTarget: "agent" }, contract: openArtifactContract, attachments: [] },
	submission: { workspaceContext: "", attachments: [] },
} as const;

describe("what a page is sent of a thread that it has", () => {
	it("is the turns that were written since, and the one whose attached files another message replaced", () => {
		using threads = new StoredThreads();
		const changes = new TurnChanges(threads.events);
		threads.begin("t1");
		const first = changes.mark;
		threads.end("t1");
		expect([...(changes.since(threadId, first) ?? [])]).toEqual(["t1"]);
		const second = changes.mark;
		expect(changes.since(threadId, second)).toEqual(new Set());
		threads.tell([send("t2")], { created });
		expect(changes.since(threadId, second)).toEqual(new Set(["t1", "t2"]));
		const third = changes.mark;
		const end = ended("t2", (run) => run.end("failed"));
		threads.tell([end], { snapshot: end.snapshot });
		expect(changes.since(threadId, third)).toEqual(new Set(["t2"]));
		expect(changes.since(threadId, first)).toEqual(new Set(["t1", "t2"]));
	});

	it("is everything for a mark of another process", () => {
		using threads = new StoredThreads();
		const earlier = new TurnChanges(threads.events).mark;
		expect(new TurnChanges(threads.events).since(threadId, earlier)).toBeUndefined();
		expect(new TurnChanges(threads.events).since(threadId, undefined)).toBeUndefined();
	});

	it("is at most 20 KB for a change in a thread of 200 turns, whatever the others hold", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void Object.assign(run, { answer: "A long answer. ".repeat(100) }).end("completed");
		const sent = await scene.send("the first message");
		await scene.end(sent);
		await scene.restart(() => copyTurn(scene.home, 199));
		const { mark, turns } = await scene.api.readThread({ threadId: sent.threadId });
		expect(turns).toHaveLength(200);
		await scene.api.renameThread({ threadId: sent.threadId, title: "another" });
		const renamed = await scene.api.readThread({ threadId: sent.threadId, ...(mark !== undefined && { since: mark }) });
		expect(renamed).toMatchObject({ since: mark, thread: { title: "another", turns: [] }, turns: [] });
		await scene.end(await scene.send("the next message", sent.threadId));
		const next = await scene.api.readThread({ threadId: sent.threadId, ...(mark !== undefined && { since: mark }) });
		expect(next.turns.map(({ request }) => request.prompt)).toEqual(["the first message", "the next message"]);
		expect(JSON.stringify(next).length).toBeLessThan(20_000);
	});
});

/** Copies of the only turn, as if the same had been sent again and again. The app is closed. */
function copyTurn(home: string, count: number): void {
	const db = new Database(join(home, "app", "app.sqlite"));
	const names = z.array(z.string()).parse(db.prepare("SELECT name FROM pragma_table_info('turns') WHERE name <> 'id'").pluck().all());
	const values = names.map((name) => (name === "turn_id" || name === "run_id" ? `${name} || '-' || n.i` : name));
	db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
		INSERT INTO turns (${names.join()}) SELECT ${values.join()} FROM turns, n WHERE turns.id = 1`);
	db.close();
}

import { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../src/api/app-api.ts";
import { listTasks, type TaskFilter } from "../../src/cli/list-tasks.ts";
import { CoreScene } from "../support/core-scene.ts";
import { RecordingConsole } from "../support/recording-console.ts";

type Tasks = AppApi["tasks"];

/** A bridge with as many runs, which lists at most 200 at once. */
async function bridgeWith(runs: number) {
	const scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("done").end("completed");
	await scene.end(await scene.send("one"));
	const one = scene.bridge.runs[0]?.summary();
	if (one === undefined) throw new Error("no run");
	const asked: Parameters<Tasks>[0][] = [];
	const tasks: Tasks = async (query) => {
		asked.push(query);
		const from = Number(query.cursor ?? 0);
		const to = Math.min(runs, from + (query.limit ?? 50));
		return { items: Array.from({ length: to - from }, () => one), ...(to < runs && { nextCursor: String(to) }) };
	};
	const listed = async (filter: TaskFilter) => {
		const console = new RecordingConsole();
		await listTasks({ api: { ...scene.api, tasks }, console, json: false }, filter);
		return console.lines;
	};
	return { scene, asked, listed };
}

it("tasks says that there are more runs than it lists, and with which command they are seen", async () => {
	const { scene, asked, listed } = await bridgeWith(450);
	await using _closing = scene;
	const some = await listed({});
	expect(some).toHaveLength(51);
	expect(some.at(-1)).toBe("There are more: npm run -s xworkmate -- tasks --limit 200");
	const all = await listed({ limit: 500 });
	expect(all).toHaveLength(450);
	expect(all.join()).not.toContain("There are more");
	// As many at once as the bridge lists, and no more than were asked for.
	asked.length = 0;
	expect(await listed({ limit: 250, thread: ThreadId.parse("t1") })).toHaveLength(251);
	expect(asked).toEqual([
		{ threadId: "t1", limit: 200 },
		{ threadId: "t1", limit: 50, cursor: "200" },
	]);
	expect((await listed({ limit: 449, thread: ThreadId.parse("t1") })).at(-1)).toBe(
		"There are more: npm run -s xworkmate -- tasks --thread t1 --limit 1796",
	);
});

it("tasks says how one thread's runs are listed when it lists as many as it can", async () => {
	const { scene, listed } = await bridgeWith(10_001);
	await using _closing = scene;
	expect((await listed({ limit: 10_000 })).at(-1)).toBe(
		"There are more. List those of one thread: npm run -s xworkmate -- tasks --thread <thread>",
	);
});

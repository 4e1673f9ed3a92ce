import { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { listTasks, type TaskFilter } from "../../../src/cli/threads/list-tasks.ts";
import { CoreScene, held } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

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

it("tasks suggests a list of the usual length after a shorter one", async () => {
	const { scene, listed } = await bridgeWith(450);
	await using _closing = scene;
	expect((await listed({ limit: 1 })).at(-1)).toBe("There are more: npm run -s xworkmate -- tasks --limit 50");
	expect((await listed({ limit: 20 })).at(-1)).toBe("There are more: npm run -s xworkmate -- tasks --limit 80");
});

it("tasks does not suggest the command that was run, if one thread has more runs than can be listed", async () => {
	const { scene, listed } = await bridgeWith(10_001);
	await using _closing = scene;
	expect((await listed({ limit: 10_000, thread: ThreadId.parse("t1") })).at(-1)).toBe(
		"The thread has older runs too, but a list contains at most 10,000.",
	);
});

it("tasks says how one thread's runs are listed when it lists as many as it can", async () => {
	const { scene, listed } = await bridgeWith(10_001);
	await using _closing = scene;
	expect((await listed({ limit: 10_000 })).at(-1)).toBe(
		"There are more. List those of one thread: npm run -s xworkmate -- tasks --thread THREAD",
	);
});

it("tasks says that a stop was requested, as the list of threads does", async () => {
	const scene = await CoreScene.open();
	await using _closing = scene;
	const run = held(scene.bridge);
	const sent = await scene.send("active");
	for await (const event of scene.api.watch(sent)) if (event.type === "update") break;
	const { runId } = run();
	const summary = scene.bridge.runs[0]?.summary();
	if (summary === undefined) throw new Error("no run");
	const stopped = await scene.api.listThreads({ archived: false });
	const threads = stopped.map((thread) => ({
		...thread,
		turns: thread.turns.map((turn) => ({ ...turn, status: "running" as const, cancelRequestedAt: "2026-11-29T20:00:00.000Z" })),
	}));
	const console = new RecordingConsole();
	const tasks: Tasks = async () => ({ items: [{ ...summary, status: "running" }] });
	await listTasks({ api: { ...scene.api, tasks, listThreads: async () => threads as never }, console, json: false }, {});
	expect(console.lines.join("\n")).toContain(runId);
	expect(console.lines.join("\n")).toMatch(/Stop requested at .*, waiting for confirmation/);
	expect(console.lines.join("\n")).not.toContain("Running");
	run().end("completed");
	await scene.end(sent);
});

it("tasks says that a stop was requested which the bridge knows of and the app does not, such as of a cancelled plan's work", async () => {
	await using scene = await CoreScene.open();
	const run = held(scene.bridge);
	const sent = await scene.send("active");
	for await (const event of scene.api.watch(sent)) if (event.type === "update") break;
	const summary = scene.bridge.runs[0]?.summary();
	if (summary === undefined) throw new Error("no run");
	const console = new RecordingConsole();
	const listed = async (status: "running" | "cancelled") => {
		const tasks: Tasks = async () => ({ items: [{ ...summary, status, cancelRequestedAt: "2026-11-29T20:00:00.000Z" as never }] });
		await listTasks({ api: { ...scene.api, tasks }, console, json: false }, {});
		return console.lines.at(-1);
	};
	expect(await listed("running")).toMatch(/Stop requested at .*, waiting for confirmation/);
	expect(await listed("cancelled")).not.toContain("Stop requested");
	run().end("completed");
	await scene.end(sent);
});

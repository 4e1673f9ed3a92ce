import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ContractError, type Origin, OriginId, sessionFolder, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { listThreads } from "../../src/cli/threads/thread-commands.ts";
import { CoreScene } from "../support/core-scene.ts";
import { FakeChanges } from "../support/fake-changes.ts";
import { plan } from "../support/plan-story.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { until } from "../support/until.ts";

const threadId = ThreadId.parse("thread-of-beaches");
const origin: Origin = { kind: "plan", id: OriginId.parse("beaches") };
const prompt = "You are executing a task.\n\nTask: Beaches in Bali";
const answer = "I compared six beaches.\n\n<deliverable>\nSanur is the best for families.\n</deliverable>";

/** A core whose bridge has one plan; its runs do what the test says. */
async function scene() {
	const core = await CoreScene.open();
	const changes = new FakeChanges();
	core.bridge.changes = changes;
	core.bridge.onRun = () => undefined;
	core.bridge.answers.set("xworkmate.plans.get", () => plan());
	core.app.resume();
	await until("the subscription", () => changes.open === 1);
	const run = (turnId: string) => Object.assign(core.bridge.accept(threadId, turnId), { origin, prompt });
	return Object.assign(core, { changes, run });
}

const shown = async (core: CoreScene) => (await core.api.listThreads({ archived: false })).find((one) => one.threadId === threadId);

it("[T2-55] [T2-83] a plan's run becomes a run of the plan's thread, under its title, with the whole answer and its files", async () => {
	await using core = await scene();
	const run = core.run("beaches-1-1");
	core.changes.tell({ kind: "run", run: run.summary() });
	await until("the thread", async () => (await shown(core)) !== undefined);
	expect(await shown(core)).toMatchObject({ title: "Beaches in Bali", lifecycleStatus: "running" });
	run.text(answer).end("completed", { "beaches.md": "# six beaches" });
	await until("its end", async () => (await shown(core))?.lifecycleStatus === "ready");
	expect(readFileSync(join(core.home, "threads", sessionFolder(threadId), "beaches.md"), "utf8")).toBe("# six beaches");
	const { turns } = await core.api.readThread({ threadId });
	expect(turns).toMatchObject([{ turn: { status: "completed", syncStatus: "synced" }, request: { origin, prompt } }]);
	const { updates } = await core.api.readUpdates({ threadId, turnId: run.turnId, afterSeq: 0, limit: 100 });
	expect(updates).toEqual(run.log);
	expect(core.faults).toEqual([]);
});

it("[T2-55] a plan that ran while the app was away has its run, its title and its files at the next start", async () => {
	await using core = await scene();
	await core.restart(() => {
		const run = core.run("beaches-1-1").text(answer).end("completed", { "beaches.md": "# six beaches" });
		core.changes.tell({ kind: "run", run: run.summary() });
	});
	await until("its end", async () => (await shown(core))?.lifecycleStatus === "ready");
	expect(await shown(core)).toMatchObject({ title: "Beaches in Bali" });
	expect(existsSync(join(core.home, "threads", sessionFolder(threadId), "beaches.md"))).toBe(true);
});

it("asks for a plan's title once, and not for each of its runs", async () => {
	await using core = await scene();
	for (const turnId of ["beaches-1-1", "beaches-2-1"]) {
		core.changes.tell({ kind: "run", run: core.run(turnId).end("completed").summary() });
		await until("its end", async () => {
			const thread = await shown(core);
			return thread?.lifecycleStatus === "ready" && (await core.api.readThread({ threadId })).turns.at(-1)?.turn.turnId === turnId;
		});
	}
	expect(core.bridge.countOf("xworkmate.plans.get")).toBe(1);
});

it("a run of a plan that the bridge does not have is titled by its prompt", async () => {
	await using core = await scene();
	core.bridge.answers.set("xworkmate.plans.get", () => {
		throw new ContractError("NOT_FOUND");
	});
	core.changes.tell({ kind: "run", run: core.run("beaches-1-1").end("completed").summary() });
	await until("its end", async () => (await shown(core))?.lifecycleStatus === "ready");
	expect(await shown(core)).toMatchObject({ title: "You are executing a task." });
});

it("a plan's run that was cancelled and still works is listed as asked to stop, also after a restart", async () => {
	await using core = await scene();
	const run = core.run("beaches-1-1");
	core.changes.tell({ kind: "run", run: run.summary() });
	await until("the thread", async () => (await shown(core)) !== undefined);
	run.say({ kind: "status", progress: { stage: "stopping" } });
	const lastTurn = async () => (await core.api.readThread({ threadId })).turns.at(-1)?.turn;
	await until("the request", async () => (await lastTurn())?.stoppingSince !== undefined);
	const console = new RecordingConsole();
	await listThreads({ api: core.api, console, json: false }, false);
	expect(console.lines[0]).toMatch(/ {2}Stop requested at /);
	for await (const change of core.api.changes()) {
		if (change.type !== "state") continue;
		const [listed] = change.state.threads;
		expect(listed?.lastTurn?.stoppingSince).toBeDefined();
		break;
	}
	await core.restart(() => undefined);
	expect((await lastTurn())?.stoppingSince).toBeDefined();
});

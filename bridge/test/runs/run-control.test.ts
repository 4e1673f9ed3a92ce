import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunId, sessionFolder, type ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { canMount, mounted } from "../artifacts/mounted.ts";
import { Core, ended, type Play, say, whenAborted } from "./core-fixture.ts";
import { asker, asking, decide, deliver, everyEvent, hang, speak, starting, stopping, working } from "./plays.ts";

describe("the queue", () => {
	it("runs one turn of a thread at a time, in order", async () => {
		const order: string[] = [];
		await using core = await Core.open(async ({ turnId }, sink) => {
			order.push(turnId);
			return speak({} as never, sink, new AbortController().signal);
		});
		const runs = await Promise.all(["t1", "t2", "t3"].map((turn) => core.submit(turn)));
		const ends = await Promise.all(runs.map((runId) => core.settled(runId)));
		expect(order).toEqual(["t1", "t2", "t3"]);
		const times = ends.map(({ startedAt, endedAt }) => [startedAt ?? "", endedAt ?? ""]);
		expect(times.flat()).toEqual(times.flat().toSorted());
	});

	it("says where a waiting turn stands, and refuses past its bound", async () => {
		await using core = await Core.open(hang, { maxQueuedPerThread: 1 });
		await core.until(await core.submit("t1"), starting);
		const waiting = await core.submit("t2");
		const moved = await core.until(waiting, (event) => event.event.type === "queue_moved");
		expect(moved.event).toEqual({ type: "queue_moved", position: 1, length: 1 });
		await expect(core.submit("t3")).rejects.toMatchObject({ code: "QUEUE_FULL" });
		expect((await core.service.cancel(waiting)).status).toBe("cancelled");
		await core.service.cancel((await core.service.list({ limit: 50 })).items.at(-1)?.runId as RunId);
	});
});

describe("cancel", () => {
	it("returns at once with the wish, and ends cancelled once the stop is confirmed", async () => {
		await using core = await Core.open(hang);
		const runId = await core.submit("t1");
		await core.until(runId, starting);
		const asked = await core.service.cancel(runId);
		// The stop may have landed in the same commit; only the end is final.
		expect(asked.status).toBe("running");
		expect(asked.cancelRequestedAt).toBeDefined();
		expect((await core.service.list({ limit: 1 })).items).toMatchObject([{ runId, cancelRequestedAt: asked.cancelRequestedAt }]);
		expect(await core.settled(runId)).toMatchObject({ status: "cancelled" });
	});

	it("keeps a result that landed before the stop", async () => {
		await using core = await Core.open(async (_turn, sink, stop) => {
			await say(sink, "do");
			await whenAborted(stop);
			await say(sink, "ne");
			return ended;
		});
		const runId = await core.submit("t1");
		await core.until(runId, working);
		await core.service.cancel(runId);
		expect(await core.settled(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
	});

	it("gives the same snapshot after the end", async () => {
		await using core = await Core.open(speak);
		const runId = await core.submit("t1");
		const { serverTime: _then, ...sealed } = await core.settled(runId);
		const { serverTime: _now, ...again } = await core.service.cancel(runId);
		expect(again).toEqual(sealed);
	});

	it("ends as interrupted when nothing confirms it before the deadline", async () => {
		const deaf: Play = async (_turn, sink) => {
			await say(sink, "working");
			return new Promise(() => undefined);
		};
		await using core = await Core.open(deaf, { runBudgetMs: 1_000, deadlineGraceMs: 20 });
		const runId = await core.submit("t1");
		await core.until(runId, working);
		await core.service.cancel(runId);
		expect(await core.settled(runId)).toMatchObject({
			...{ status: "interrupted", code: "DEADLINE_EXCEEDED" },
			message: expect.stringMatching(/^The run was asked to stop, but this was not confirmed in time; its outcome is unknown\./),
		});
	});
});

describe("the deadline", () => {
	it("interrupts a run whose end it did not see", async () => {
		await using core = await Core.open(hang, { runBudgetMs: 50, deadlineGraceMs: 1_000 });
		expect(await core.settled(await core.submit("t1"))).toMatchObject({
			...{ status: "interrupted", code: "DEADLINE_EXCEEDED" },
			message: expect.stringMatching(/^The run timed out; its outcome is unknown\./),
		});
	});

	it("does not pass while a person is asked", async () => {
		await using core = await Core.open(asker(["allow_once", "deny"]), { runBudgetMs: 1_000, approvalMs: 9_000 });
		const runId = await core.submit("t1");
		const asked = await core.until(runId, asking);
		const { deadlineAt } = await core.service.snapshot(runId);
		// Long enough for a run that did pass its deadline to have ended, also on a busy machine.
		while (Date.now() < Date.parse(deadlineAt ?? "") + 500) await new Promise((resolve) => setImmediate(resolve));
		expect((await core.service.snapshot(runId)).status).toBe("running");
		await decide(core, asked, "allow_once");
		expect(await core.settled(runId)).toMatchObject({ status: "completed", output: { text: "allow_once" } });
	});
});

describe("approvals", () => {
	it("keeps the first decision and tells later ones what it was", async () => {
		await using core = await Core.open(asker(["allow_once", "deny"]));
		const runId = await core.submit("t1");
		const asked = await core.until(runId, asking);
		const answers = await Promise.all([decide(core, asked, "deny"), decide(core, asked, "allow_once"), decide(core, asked, "deny")]);
		expect(answers.map((answer) => answer.applied)).toEqual([true, false, false]);
		expect(answers.map((answer) => answer.record.decision)).toEqual(["deny", "deny", "deny"]);
		expect((await core.settled(runId)).output?.text).toBe("deny");
	});

	it("expires as a deny", async () => {
		await using core = await Core.open(asker(["allow_once", "deny"]), { approvalMs: 50 });
		expect((await core.settled(await core.submit("t1"))).output?.text).toBe("expired");
	});

	it("is withdrawn before a cancel reaches the agent", async () => {
		await using core = await Core.open(asker(["allow_once", "deny"]));
		const runId = await core.submit("t1");
		const asked = await core.until(runId, asking);
		await core.service.cancel(runId);
		await core.settled(runId);
		const events = await everyEvent(core, runId);
		const withdrawn = events.findIndex(({ event }) => event.type === "approval" && event.record.state === "withdrawn");
		expect(withdrawn).toBeGreaterThan(0);
		expect(withdrawn).toBeLessThan(events.findIndex(stopping));
		expect((await decide(core, asked, "allow_once")).applied).toBe(false);
	});

	it("allows the same kind in the same thread for a window", async () => {
		await using core = await Core.open(asker(["allow_once", "allow_window", "deny"]));
		const first = await core.submit("t1");
		await decide(core, await core.until(first, asking), "allow_window");
		await core.settled(first);
		const second = await core.settled(await core.submit("t2"));
		expect(second.output?.text).toBe("allow_once");
	});
});

describe("a restart", () => {
	it("queues queued runs again and names what was executing", async () => {
		await using core = await Core.open(hang, { stopMs: 1_000 });
		const executing = await core.submit("t1");
		await core.until(executing, starting);
		const waiting = await core.submit("t2");
		core.play = speak;
		await core.restart();
		const stopped = await core.service.snapshot(executing);
		expect(stopped).toMatchObject({ status: "interrupted", code: "BRIDGE_STOPPED" });
		expect(stopped.message).toMatch(/\nNo files were collected\.$/);
		expect((await core.settled(waiting)).status).toBe("completed");
	});

	it("never runs a turn again that was executing at a crash: its outcome is not known", async () => {
		let turns = 0;
		await using core = await Core.open(async (_turn, sink) => {
			turns++;
			await say(sink, "working");
			return new Promise(() => undefined);
		});
		const runId = await core.submit("t1");
		await core.until(runId, working);
		await core.crash();
		expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED" });
		expect(await core.submit("t1")).toBe(runId);
		expect(turns).toBe(1);
	});

	it("withdraws what was asked when it crashed", async () => {
		await using core = await Core.open(asker(["allow_once", "deny"]));
		const runId = await core.submit("t1");
		const asked = await core.until(runId, asking);
		await core.crash();
		expect((await core.settled(runId)).pendingApprovals).toEqual([]);
		const late = await decide(core, asked, "allow_once");
		expect(late).toMatchObject({ applied: false, record: { state: "withdrawn" } });
	});

	it("withdraws what was open in a backup that was restored, without saying that a bridge stopped", async () => {
		await using core = await Core.open(asker(["allow_once", "deny"]));
		const runId = await core.submit("t1");
		const asked = await core.until(runId, asking);
		await core.die();
		await core.load("ended", true);
		await core.coordinator.recover();
		expect(await core.settled(runId)).toMatchObject({ code: "STORE_RESTORED", pendingApprovals: [] });
		const late = await decide(core, asked, "allow_once");
		expect(late).toMatchObject({ applied: false, record: { state: "withdrawn", reason: "backup_restored" } });
	});

	it("abandons a provider that does not stop within the bound", async () => {
		const deaf: Play = async (_turn, sink) => {
			await say(sink, "working");
			return new Promise(() => undefined);
		};
		await using core = await Core.open(deaf, { stopMs: 50 });
		const runId = await core.submit("t1");
		await core.until(runId, working);
		core.play = speak;
		await core.restart();
		expect(await core.service.snapshot(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_STOPPED" });
	});
});

describe("deleting a thread", () => {
	it("is refused while a turn is not over, and then removes records and bytes", async () => {
		await using core = await Core.open(hang);
		const runId = await core.submit("t1");
		await core.until(runId, starting);
		const threadId = "thread" as ThreadId;
		await expect(core.service.deleteThread({ threadId })).rejects.toMatchObject({ code: "THREAD_BUSY" });
		await core.service.cancel(runId);
		await core.settled(runId);
		core.play = deliver({ "a.txt": "four" });
		await core.settled(await core.submit("t2"));
		expect(await core.service.deleteThread({ threadId })).toEqual({ deletedRuns: 2, freedBytes: 4 });
		await expect(core.service.snapshot(runId)).rejects.toMatchObject({ code: "NOT_FOUND" });
	});

	it("hides it while its bytes are removed, and is continued at the next start, before which it takes no turn", async () => {
		await using core = await Core.open(deliver({ "a.txt": "four" }));
		const threadId = "thread" as ThreadId;
		const runId = await core.submit("t1");
		await core.settled(runId);
		const removing = Promise.withResolvers<void>();
		core.beforeRemove = () => {
			removing.resolve();
			return Promise.reject(new Error("no access"));
		};
		await expect(core.service.deleteThread({ threadId })).rejects.toThrow("no access");
		await removing.promise;
		await expect(core.service.snapshot(runId)).rejects.toMatchObject({ code: "NOT_FOUND" });
		await expect(core.submit("t2")).rejects.toMatchObject({ code: "THREAD_BUSY" });
		const goOn = Promise.withResolvers<void>();
		core.beforeRemove = () => goOn.promise;
		await core.crash();
		await expect(core.service.resolve({ runId })).rejects.toMatchObject({ code: "NOT_FOUND" });
		await expect(core.submit("t2")).rejects.toMatchObject({ code: "THREAD_BUSY" });
		goOn.resolve();
		await core.runs.removal.settled();
		expect(core.errors).toEqual([]);
		expect(existsSync(join(core.home, "bridge", "artifacts", runId))).toBe(false);
		expect(await core.settled(await core.submit("t2"))).toMatchObject({ status: "completed" });
	});

	it("stops when the bridge does, and is continued when it starts again", async () => {
		await using core = await Core.open(deliver({ "a.txt": "four" }));
		const threadId = "thread" as ThreadId;
		for (const turn of ["t1", "t2"]) await core.settled(await core.submit(turn));
		const [removing, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		core.beforeRemove = () => {
			removing.resolve();
			return goOn.promise;
		};
		const deletion = core.service.deleteThread({ threadId });
		await removing.promise;
		const stopped = core.runs.removal[Symbol.asyncDispose]();
		goOn.resolve();
		// The app's folder and record of the thread stay until the user deletes it again.
		const detail = expect.stringContaining("remove its part of this thread when it starts again");
		await expect(deletion).rejects.toMatchObject({ code: "INTERNAL", detail, fix: expect.stringContaining("delete the thread again") });
		await stopped;
		await core.crash();
		await core.runs.removal.settled();
		expect(await core.service.list({ limit: 10 })).toEqual({ items: [] });
		expect(await core.settled(await core.submit("t1"))).toMatchObject({ status: "completed" });
	});

	// Only root may mount.
	it.skipIf(!canMount())("names what is mounted in the thread's folder, keeps the records, and is done when asked again", async () => {
		await using core = await Core.open(deliver({ "a.txt": "four" }));
		const threadId = "thread" as ThreadId;
		const runId = await core.submit("t1");
		await core.settled(runId);
		const elsewhere = join(core.home, "elsewhere");
		const target = join(core.home, "bridge", "workspaces", sessionFolder(threadId), "data");
		for (const folder of [elsewhere, target]) mkdirSync(folder, { recursive: true });
		writeFileSync(join(elsewhere, "theirs.txt"), "theirs");
		{
			using _mount = mounted(elsewhere, target);
			await expect(core.service.deleteThread({ threadId })).rejects.toMatchObject({
				code: "FOLDER_NOT_REMOVED",
				detail: expect.stringContaining(target),
			});
			expect((await core.service.snapshot(runId)).status).toBe("completed");
		}
		expect(await core.service.deleteThread({ threadId })).toEqual({ deletedRuns: 1, freedBytes: 4 });
		expect(readFileSync(join(elsewhere, "theirs.txt"), "utf8")).toBe("theirs");
		expect(existsSync(target)).toBe(false);
	});
});

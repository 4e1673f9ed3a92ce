import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalDecision, RunId, SessionId, ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { LoggedEvent } from "../../src/runs/run-event.ts";
import { fold } from "../../src/runs/run-state.ts";
import { toSnapshot } from "../../src/runs/run-view.ts";
import { Core, ended, type Play, say, whenAborted } from "./core-fixture.ts";

const stopping = (event: LoggedEvent) => event.event.type === "cancel_requested";
const starting = (event: LoggedEvent) => event.event.type === "started";
const working = (event: LoggedEvent) => event.event.type === "said";
const asking = (event: LoggedEvent) => event.event.type === "approval";

const speak: Play = async (_turn, sink) => {
	await say(sink, "done");
	return ended;
};
const hang: Play = async (_turn, _sink, stop) => {
	await whenAborted(stop);
	return { kind: "cancelled", remote: false };
};

function deliver(files: Readonly<Record<string, string>>): Play {
	return async ({ artifactDirectory }, sink) => {
		for (const [name, text] of Object.entries(files)) await writeFile(join(artifactDirectory, name), text);
		await say(sink, "done");
		return ended;
	};
}

function requiring(glob: string) {
	return {
		metadata: {
			xworkmateTaskArtifactContract: {
				schemaVersion: 1,
				scopeKind: "task",
				required: [{ glob }],
				rejectTextOnlyClaims: true,
				currentTaskWorkspace: "$XWORKMATE_ARTIFACT_DIRECTORY",
			},
		},
	};
}

async function everyEvent(core: Core, runId: RunId): Promise<readonly LoggedEvent[]> {
	return core.service.log.read(runId, 0, 10_000);
}

describe("a run", () => {
	it("ends with what was delivered, in the bridge's own store", async () => {
		await using core = await Core.open(deliver({ "report.md": "# hello" }));
		const runId = await core.submit("t1");
		const snapshot = await core.settled(runId);
		expect(snapshot).toMatchObject({ status: "completed", success: true, output: { text: "done" }, artifacts: { count: 1 } });
		const stored = await readFile(join(core.home, "bridge", "artifacts", runId, "report.md"), "utf8");
		expect(stored).toBe("# hello");
	});

	it("folds to the snapshot that was sealed", async () => {
		await using core = await Core.open(deliver({ "a.txt": "a", "b.txt": "b" }));
		const runId = await core.submit("t1");
		const sealed = await core.settled(runId);
		const events = await everyEvent(core, runId);
		expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
		const { serverTime } = sealed;
		const record = await core.service.resolve({ runId });
		expect({ ...toSnapshot(record, fold(events), 0), serverTime }).toEqual(sealed);
	});

	it("[T4-12] calls a missing required file artifact_missing, and what came out no final result", async () => {
		await using core = await Core.open(deliver({ "notes.md": "a pdf is attached" }));
		const snapshot = await core.settled(await core.submit("t1", requiring("*.pdf")));
		expect(snapshot).toMatchObject({
			status: "artifact_missing",
			code: "REQUIRED_ARTIFACT_MISSING",
			success: false,
			artifacts: { count: 1 },
		});
		expect(snapshot.message).toContain("*.pdf");
	});

	it("refuses a required glob that cannot be used before there is a run", async () => {
		await using core = await Core.open(speak);
		await expect(core.submit("t1", requiring("{a,b"))).rejects.toMatchObject({ code: "INVALID_PARAMS" });
		expect((await core.service.list({ limit: 50 })).items).toEqual([]);
	});

	it("rejects a link in the scope and says why", async () => {
		await using core = await Core.open(async ({ artifactDirectory }, sink) => {
			await symlink("/etc/passwd", join(artifactDirectory, "passwd"));
			await say(sink, "done");
			return ended;
		});
		const snapshot = await core.settled(await core.submit("t1"));
		expect(snapshot.artifacts.count).toBe(0);
		expect(snapshot.rejectedArtifacts).toEqual([{ path: "passwd", reason: "symlink" }]);
	});

	it("fails as INTERNAL when the provider throws, and the core goes on", async () => {
		await using core = await Core.open(async () => {
			throw new Error("a defect");
		});
		expect(await core.settled(await core.submit("t1"))).toMatchObject({ status: "failed", code: "INTERNAL" });
		expect(core.errors).toHaveLength(1);
		core.play = speak;
		expect((await core.settled(await core.submit("t2"))).status).toBe("completed");
	});

	it("fails with LIMIT_EXCEEDED when it says more than its log may hold", async () => {
		const flood: Play = async (_turn, sink, stop) => {
			while (!stop.aborted) await say(sink, "x".repeat(1000));
			return { kind: "cancelled", remote: false };
		};
		await using core = await Core.open(flood, { runLogBytes: 50_000 });
		expect(await core.settled(await core.submit("t1"))).toMatchObject({ status: "failed", code: "LIMIT_EXCEEDED" });
	});
});

describe("idempotency", () => {
	it("makes one run of one turn, however often it is sent", async () => {
		await using core = await Core.open(speak);
		const runs = await Promise.all(Array.from({ length: 20 }, () => core.submit("same")));
		expect(new Set(runs).size).toBe(1);
		await core.settled(runs[0] as RunId);
		expect((await core.service.list({ limit: 50 })).items).toHaveLength(1);
	});

	it("refuses other input under the same turn", async () => {
		await using core = await Core.open(speak);
		await core.submit("same");
		await expect(core.submit("same", { prompt: "something else" })).rejects.toMatchObject({ code: "TURN_CONFLICT" });
	});
});

describe("sessions", () => {
	it("has one session a thread and one thread a session", async () => {
		await using core = await Core.open(speak);
		await core.submit("t1");
		await expect(core.submit("t2", { sessionId: "other" })).rejects.toMatchObject({ code: "SESSION_CONFLICT" });
		await expect(core.submit("t3", { threadId: "elsewhere" })).rejects.toMatchObject({ code: "SESSION_CONFLICT" });
	});

	it("refuses a turn that continues a closed session, and opens it anew with a start", async () => {
		await using core = await Core.open(speak);
		await core.settled(await core.submit("t1"));
		await core.service.closeSession("thread" as SessionId);
		const { routing, ...rest } = {
			routing: { executionTarget: "agent" } as const,
			sessionId: "thread",
			threadId: "thread",
			prompt: "more",
		};
		const params = { ...rest, routing, turnId: "t2" } as Parameters<typeof core.service.submit>[1];
		await expect(core.service.submit("session.message", params)).rejects.toMatchObject({ code: "SESSION_CLOSED" });
		expect((await core.settled(await core.submit("t3"))).status).toBe("completed");
	});
});

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
		expect(asked).toMatchObject({ status: "running", progress: { stage: "stopping" } });
		expect(asked.cancelRequestedAt).toBeDefined();
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
		await using core = await Core.open(deaf, { runBudgetMs: 150, deadlineGraceMs: 20 });
		const runId = await core.submit("t1");
		await core.until(runId, working);
		await core.service.cancel(runId);
		expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "DEADLINE_EXCEEDED" });
	});
});

describe("the deadline", () => {
	it("interrupts a run whose end it did not see", async () => {
		await using core = await Core.open(hang, { runBudgetMs: 50, deadlineGraceMs: 1_000 });
		expect(await core.settled(await core.submit("t1"))).toMatchObject({ status: "interrupted", code: "DEADLINE_EXCEEDED" });
	});

	it("does not pass while a person is asked", async () => {
		await using core = await Core.open(asker(["allow_once", "deny"]), { runBudgetMs: 60, approvalMs: 5_000 });
		const runId = await core.submit("t1");
		const asked = await core.until(runId, asking);
		const { deadlineAt } = await core.service.snapshot(runId);
		while (Date.now() < Date.parse(deadlineAt ?? "") + 20) await new Promise((resolve) => setImmediate(resolve));
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
		expect(await core.service.snapshot(executing)).toMatchObject({ status: "interrupted", code: "BRIDGE_STOPPED" });
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

	it("abandons a provider that does not stop within the bound", async () => {
		await using core = await Core.open(() => new Promise(() => undefined), { stopMs: 50 });
		const runId = await core.submit("t1");
		await core.until(runId, starting);
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
});

function asker(options: readonly ApprovalDecision[]): Play {
	return async (_turn, sink, stop) => {
		const request = { title: "write a file", toolKind: "edit", inputHash: "0".repeat(64), options } as const;
		const { decision } = await sink.requestPermission(request);
		if (stop.aborted) return { kind: "cancelled", remote: false };
		await say(sink, decision);
		return ended;
	};
}

async function decide(core: Core, asked: LoggedEvent, decision: ApprovalDecision) {
	if (asked.event.type !== "approval") throw new Error("no approval was asked");
	return core.service.decideApproval(asked.event.record.approvalId, decision, "person");
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as passed } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Loss, SpokenBefore } from "../../src/ports/agents/provider.ts";
import { Core, ended, type Play, type RemoteTurns, say, whenAborted } from "./core-fixture.ts";

const lost: Loss = { kind: "lost", code: "GATEWAY_LOST", message: "the gateway was restarted" };

/** Brings one file, as often as it is asked. */
const bringsReport: RemoteTurns = {
	resumable: true,
	fetchArtifacts: async ({ artifactDirectory }, sink) => {
		sink.show("exporting", "1 of 1");
		await writeFile(join(artifactDirectory, "report.md"), "# remote");
		sink.rejectArtifact({ path: "passwd", reason: "symlink" });
		return undefined;
	},
};

const deadlineGraceMs = 10;

/** A turn that ends at once, and whose files arrive when its deadline and the grace after it have passed. */
function bringsLate(result: Loss | undefined): { readonly play: Play; readonly remote: RemoteTurns } {
	const begun = Promise.withResolvers<AbortSignal>();
	const play: Play = async (_turn, _sink, stop) => {
		begun.resolve(stop);
		return ended;
	};
	const fetchArtifacts: Required<RemoteTurns>["fetchArtifacts"] = async ({ artifactDirectory }) => {
		await whenAborted(await begun.promise);
		// As long as the grace and begun after it, so it ends after it.
		await passed(deadlineGraceMs);
		await writeFile(join(artifactDirectory, "report.md"), "# late");
		return result;
	};
	return { play, remote: { resumable: true, fetchArtifacts } };
}

const forever = () => new Promise<never>(() => undefined);

const working = ({ status }: { status: string }) => status === "running";

describe("a turn that outlives the bridge", () => {
	it.each(["restart", "crash"] as const)("is taken up after a %s and ends with its files", async (how) => {
		await using core = await Core.open(forever, {}, bringsReport);
		const runId = await core.submit("t1");
		await core.until(runId, working);
		core.play = async () => ended;
		await core[how]();
		expect(await core.settled(runId)).toMatchObject({
			status: "completed",
			artifacts: { items: [{ relativePath: "report.md" }] },
			rejectedArtifacts: [{ path: "passwd", reason: "symlink" }],
		});
		const starts = (await core.service.log.read(runId, 0, 100)).filter(({ event }) => event.type === "started");
		expect(starts).toHaveLength(1);
	});

	it("is told when the log has words of it, so that nothing runs twice", async () => {
		const begun: boolean[] = [];
		await using core = await Core.open(
			async (turn, sink) => {
				begun.push(turn.begun);
				await say(sink, "at work");
				return forever();
			},
			{},
			bringsReport,
		);
		const runId = await core.submit("t1");
		await core.until(runId, ({ event }) => event.type === "said");
		core.play = async (turn) => {
			begun.push(turn.begun);
			return ended;
		};
		await core.crash();
		await core.settled(runId);
		expect(begun).toEqual([false, true]);
	});

	it.each([
		{ what: "nothing that reached its runtime", handsOver: false, begun: false },
		{ what: "that it was handed over", handsOver: true, begun: true },
	])("is told what the log says of a turn that is being stopped: $what", async ({ handsOver, begun }) => {
		await using core = await Core.open(
			async (_turn, sink) => {
				if (handsOver) await sink.handOver();
				return forever();
			},
			{},
			bringsReport,
		);
		const runId = await core.submit("t1");
		await core.until(runId, ({ event }) => (handsOver ? event.type === "progress" : event.type === "started"));
		await core.service.cancel(runId);
		let told: boolean | undefined;
		core.play = async (turn) => {
			told = turn.begun;
			return { kind: "cancelled", remote: false };
		};
		await core.crash();
		expect(await core.settled(runId)).toMatchObject({ status: "cancelled" });
		expect(told).toBe(begun);
	});

	it("is not begun by a notice of the way to its runtime", async () => {
		await using core = await Core.open(
			async (_turn, sink) => {
				await sink.emit({ kind: "notice", level: "warning", code: "CONVERSATION_RESTARTED", message: "in a new conversation" });
				return forever();
			},
			{},
			bringsReport,
		);
		const runId = await core.submit("t1");
		await core.until(runId, ({ event }) => event.type === "said");
		let told: boolean | undefined;
		core.play = async (turn) => {
			told = turn.begun;
			return ended;
		};
		await core.crash();
		await core.settled(runId);
		expect(told).toBe(false);
	});

	it.each(["restart", "crash"] as const)("is told what the log ends with after a %s, and goes on there: every word once", async (how) => {
		await using core = await Core.open(
			async (_turn, sink) => {
				await sink.emit({ kind: "thought_delta", messageId: "t", text: "hm" });
				await sink.emit({ kind: "message_delta", messageId: "m", text: "one " });
				await sink.emit({ kind: "message_delta", messageId: "m", text: "two " });
				return forever();
			},
			{},
			bringsReport,
		);
		const runId = await core.submit("t1");
		await core.until(runId, ({ event }) => event.type === "said" && "text" in event.update && event.update.text.includes("two"));
		let before: SpokenBefore | undefined;
		core.play = async ({ spoken }, sink) => {
			before = spoken;
			await sink.emit({ kind: "message_delta", messageId: spoken?.message?.messageId ?? "", text: "three" });
			return ended;
		};
		await core[how]();
		expect(await core.settled(runId)).toMatchObject({ output: { text: "one two three" } });
		expect(before).toMatchObject({ thought: { messageId: "t", text: "hm" }, message: { messageId: "m", text: "one two ", totalBytes: 8 } });
	});

	it("is not held up by SIGTERM: the bridge leaves it at once, and nothing stops it", async () => {
		let stopped = false;
		await using core = await Core.open(
			async (_turn, _sink, stop) => {
				stop.addEventListener("abort", () => {
					stopped = true;
				});
				return forever();
			},
			{ stopMs: 60_000 },
			bringsReport,
		);
		const runId = await core.submit("t1");
		await core.until(runId, working);
		await core.coordinator.shutdown();
		expect(stopped).toBe(false);
		expect(await core.service.snapshot(runId)).toMatchObject({ status: "running" });
		core.play = async () => ended;
		await core.crash();
		expect(await core.settled(runId)).toMatchObject({ status: "completed" });
	});

	it("is stopped after a restart when the wish to stop it came before", async () => {
		await using core = await Core.open(forever, {}, bringsReport);
		const runId = await core.submit("t1");
		await core.until(runId, working);
		await core.service.cancel(runId);
		core.play = async (_turn, _sink, stop) => {
			await whenAborted(stop);
			return { kind: "cancelled", remote: false };
		};
		await core.crash();
		expect(await core.settled(runId)).toMatchObject({ status: "cancelled" });
	});

	it("gets no answer from a bridge that is stopped", async () => {
		const ask = { title: "exec", toolKind: "execute", inputHash: "0".repeat(64), options: ["allow_once", "deny"] } as const;
		const answers: unknown[] = [];
		await using core = await Core.open(
			async (_turn, sink) => {
				answers.push(await sink.requestPermission({ ...ask, options: [...ask.options] }));
				return forever();
			},
			{},
			bringsReport,
		);
		const runId = await core.submit("t1");
		await core.until(runId, ({ event }) => event.type === "approval");
		core.play = async () => ended;
		await core.restart();
		await core.settled(runId);
		expect(answers).toEqual([]);
	});

	it("asks anew after a restart what nobody had answered, and by then the earlier requests take no answer", async () => {
		const ask = { title: "exec", toolKind: "execute", inputHash: "0".repeat(64), options: ["allow_once", "deny"] } as const;
		const asks: Play = async (_turn, sink) => {
			await sink.requestPermission({ ...ask, options: [...ask.options] });
			return ended;
		};
		await using core = await Core.open(asks, {}, bringsReport);
		const runIds = [await core.submit("t1"), await core.submit("t2", { threadId: "other", sessionId: "other" })];
		for (const runId of runIds) await core.until(runId, ({ event }) => event.type === "approval");
		const requests = async () => (await core.service.listApprovals({ limit: 50 })).items;
		const earlier = (await requests()).map(({ approvalId }) => approvalId);
		await core.die();
		// Whoever had been waiting for the bridge asks from here on.
		await core.load();
		expect((await requests()).map(({ state }) => state)).toEqual(["withdrawn", "withdrawn"]);
		for (const approvalId of earlier) {
			expect(await core.service.decideApproval(approvalId, "allow_once", "operator")).toMatchObject({ applied: false });
		}
		await core.coordinator.recover();
		for (const runId of runIds) {
			const { event } = await core.until(runId, ({ event: one }) => one.type === "approval" && !earlier.includes(one.record.approvalId));
			if (event.type === "approval") await core.service.decideApproval(event.record.approvalId, "allow_once", "operator");
			expect(await core.settled(runId)).toMatchObject({ status: "completed", pendingApprovals: [] });
		}
	});
});

describe("what a turn delivered elsewhere", () => {
	it("is brought again after a crash in the middle", async () => {
		await using core = await Core.open(async () => ended, {}, { resumable: true, fetchArtifacts: forever });
		const runId = await core.submit("t1");
		await core.until(runId, ({ event }) => event.type === "provider_ended");
		core.remote = bringsReport;
		await core.crash();
		expect(await core.settled(runId)).toMatchObject({ status: "completed", artifacts: { count: 1 } });
	});

	it.each([
		{ result: undefined, how: { status: "completed" } },
		{ result: lost, how: { status: "interrupted", code: "GATEWAY_LOST" } },
	])("is brought whole though the turn's deadline passes meanwhile ($how.status)", async ({ result, how }) => {
		const { play, remote } = bringsLate(result);
		await using core = await Core.open(play, { runBudgetMs: 50, deadlineGraceMs }, remote);
		expect(await core.settled(await core.submit("t1"))).toMatchObject({ ...how, artifacts: { count: 1 } });
	});

	it("is left to the next bridge when a bridge that had taken it up is stopped in the middle", async () => {
		await using core = await Core.open(async () => ended, { stopMs: 60_000 }, { resumable: true, fetchArtifacts: forever });
		const runId = await core.submit("t1");
		await core.until(runId, ({ event }) => event.type === "provider_ended");
		const bringing = Promise.withResolvers<void>();
		core.remote = {
			resumable: true,
			fetchArtifacts: () => {
				bringing.resolve();
				return forever();
			},
		};
		await core.crash();
		await bringing.promise;
		await core.coordinator.shutdown();
		expect(await core.service.snapshot(runId)).toMatchObject({ status: "running" });
		core.remote = bringsReport;
		await core.crash();
		expect(await core.settled(runId)).toMatchObject({ status: "completed", artifacts: { count: 1 } });
	});

	it("makes the outcome unknown when it cannot be had, whatever the turn said", async () => {
		const loses: RemoteTurns = { resumable: true, fetchArtifacts: async () => lost };
		const speaks = async (_turn: unknown, sink: Parameters<typeof say>[0]) => {
			await say(sink, "I wrote report.md");
			return ended;
		};
		await using core = await Core.open(speaks, {}, loses);
		const snapshot = await core.settled(await core.submit("t1"));
		expect(snapshot).toMatchObject({ status: "interrupted", success: false, code: "GATEWAY_LOST", message: lost.message });
	});

	it("is listed and never final when the turn itself was lost", async () => {
		await using core = await Core.open(async () => lost, {}, bringsReport);
		const snapshot = await core.settled(await core.submit("t1"));
		expect(snapshot).toMatchObject({ status: "interrupted", success: false, code: "GATEWAY_LOST", artifacts: { count: 1 } });
	});
});

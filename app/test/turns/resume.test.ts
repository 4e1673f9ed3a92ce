import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { CoreScene, held, routing, shownOf } from "../support/core-scene.ts";
import { until } from "../support/until.ts";

const runId = async (scene: CoreScene, threadId: ThreadId) => (await scene.api.showThread({ threadId })).thread.turns.at(-1)?.runId;

describe("an app that was stopped", () => {
	it("takes a running turn up again after the last seq it has", async () => {
		await using scene = await CoreScene.open();
		const run = held(scene.bridge);
		const sent = await scene.send("x");
		await until("the updates were written", async () => {
			const turn = (await scene.api.showThread({ threadId: sent.threadId })).thread.turns[0];
			return turn?.lastSeq === 2;
		});
		await scene.restart(() => void run().text("while it was away").end("completed", { "a.txt": "a" }));
		const events = await scene.events(sent);
		expect(shownOf(events)).toEqual(run().log);
		expect(events.at(-1)).toMatchObject({ turn: { status: "completed", syncedPaths: ["a.txt"] } });
		expect(scene.bridge.calls.find((call) => call.method === "xworkmate.tasks.subscribe")?.lastEventId).toBe("2");
		expect(scene.bridge.countOf("session.start")).toBe(1);
	});

	it("says of a run that ended meanwhile when it ended, not when the app was started", async () => {
		await using scene = await CoreScene.open();
		const run = held(scene.bridge);
		const { threadId, turnId } = await scene.send("x");
		await until("the run is known", async () => (await runId(scene, threadId)) !== undefined);
		const endedAt = new Date().toISOString();
		await scene.restart(async () => {
			run().endedAt = endedAt;
			run().end("completed", { "a.txt": "a" });
			await until("a later moment", () => new Date().toISOString() > endedAt);
		});
		const { turn, thread } = await scene.end({ threadId, turnId });
		expect([turn.syncedPaths, turn.endedAt, thread.updatedAt]).toEqual([["a.txt"], endedAt, endedAt]);
	});

	it("submits a written turn that the bridge never had, the same to the byte", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 10_000 } });
		let refused: unknown;
		scene.bridge.fault = (call) => {
			if (call.method.startsWith("session.")) refused = call.params;
			return { kind: "destroy" };
		};
		const attachments = [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }];
		const sent = await scene.api.send({ prompt: "do it", routing, attachments });
		await until("it was sent once", () => refused !== undefined);
		await scene.restart(() => {
			scene.bridge.fault = () => undefined;
		});
		expect(await scene.end(sent)).toMatchObject({ turn: { status: "completed" } });
		expect(scene.bridge.calls.findLast(({ method }) => method.startsWith("session."))?.params).toEqual(refused);
		expect(scene.bridge.runs).toHaveLength(1);
	});

	it("finishes a sync that was cut off", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.end("completed", { "a.txt": "a" });
		const reached = Promise.withResolvers<void>();
		scene.bridge.onFile = () => {
			reached.resolve();
			return "hang";
		};
		const sent = await scene.send("x");
		await reached.promise;
		await scene.restart(() => {
			scene.bridge.onFile = (bytes) => bytes;
		});
		const { turn, thread } = await scene.end(sent);
		expect(turn).toMatchObject({ status: "completed", syncStatus: "synced", syncedPaths: ["a.txt"] });
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "synced" });
		expect(readFileSync(join((await scene.api.showThread({ threadId: sent.threadId })).folder, "a.txt"), "utf8")).toBe("a");
		expect(scene.bridge.countOf("session.start")).toBe(1);
	});

	it("sends a cancel that could not be sent before", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 10_000 } });
		held(scene.bridge);
		const sent = await scene.send("x");
		await until("the run is known", async () => (await runId(scene, sent.threadId)) !== undefined);
		await scene.bridge.down();
		await scene.api.cancelTurn(sent);
		await scene.restart(() => scene.bridge.listen());
		expect(await scene.end(sent)).toMatchObject({ turn: { status: "cancelled", resultCode: "aborted" } });
	});
});

describe("a turn given up on", () => {
	/** A thread whose turn's run continues in a bridge that was away for too long. */
	async function givenUp(scene: CoreScene) {
		const run = held(scene.bridge);
		const sent = await scene.send("x");
		await until("the run is known", async () => (await runId(scene, sent.threadId)) !== undefined);
		await scene.bridge.down();
		const { turn, thread } = await scene.end(sent);
		expect(turn).toMatchObject({ status: "unresolved", resultCode: "ACP_HTTP_CONNECT_FAILED" });
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastArtifactSyncStatus: "failed" });
		return { run, sent };
	}

	it("[T4-58] [T4-84] leaves the thread ready with the code, and is resolved at the next start, files and transcript included", async () => {
		await using scene = await CoreScene.open();
		const { run, sent } = await givenUp(scene);
		await scene.restart(async () => {
			run().text("finished meanwhile").end("completed", { "late.txt": "late" });
			await scene.bridge.listen();
		});
		await until(
			"it was resolved",
			async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.lastArtifactSyncStatus === "synced",
		);
		const events = await scene.events(sent);
		expect(shownOf(events)).toEqual(run().log);
		expect(events.at(-1)).toMatchObject({
			thread: { lifecycleStatus: "ready", lastResultCode: "success", lastTaskArtifactRelativePaths: ["late.txt"] },
		});
	});

	it("is followed again when it turns out to be running, once its thread is opened", async () => {
		await using scene = await CoreScene.open();
		const { run, sent } = await givenUp(scene);
		await scene.bridge.listen();
		await scene.api.showThread({ threadId: sent.threadId });
		await until(
			"it was taken up",
			async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.lifecycleStatus === "running",
		);
		run().end("completed");
		expect(await scene.end(sent)).toMatchObject({ turn: { status: "completed", resultCode: "success" } });
	});

	it.each(["", "after a newer message"])("is asked to stop when the bridge answers, if the user wanted that %s", async (isNewer) => {
		await using scene = await CoreScene.open();
		const { run, sent } = await givenUp(scene);
		const before = run();
		if (isNewer) {
			await scene.bridge.listen();
			scene.bridge.onRun = (next) => void next.end("completed");
			await scene.end(await scene.send("again", sent.threadId));
			await scene.bridge.down();
		}
		expect(await scene.api.cancelTurn({ threadId: sent.threadId, turnId: sent.turnId })).toEqual({ applied: true });
		await scene.bridge.listen();
		await scene.api.showThread({ threadId: sent.threadId });
		const asked = () => scene.bridge.calls.find(({ method }) => method === "xworkmate.tasks.cancel")?.params;
		await until("it was asked to stop", () => asked() !== undefined);
		expect(asked()).toMatchObject({ runId: before.runId });
	});

	it("is asked about every so often", async () => {
		await using scene = await CoreScene.open({ unresolvedAskMs: 30 });
		const { run, sent } = await givenUp(scene);
		run().end("failed", {}, "NO_OUTPUT");
		await scene.bridge.listen();
		const state = async () => (await scene.api.listThreads({ archived: false }))[0];
		await until("it was resolved", async () => (await state())?.lastResultCode === "failed");
		expect(await scene.end(sent)).toMatchObject({ turn: { status: "failed", resultDetail: { code: "NO_OUTPUT" } } });
	});

	it("[T4-33] [T4-68] changes only its own history once a newer turn was sent", async () => {
		await using scene = await CoreScene.open();
		const { run, sent } = await givenUp(scene);
		await scene.bridge.listen();
		const first = run();
		scene.bridge.onRun = (next) => void next.end("completed", { "new.txt": "new" });
		await scene.end(await scene.send("again", sent.threadId));
		first.end("completed", { "old.txt": "old" });
		await until("the first was resolved", async () => {
			const { thread } = await scene.api.showThread({ threadId: sent.threadId });
			return thread.turns[0]?.status === "completed";
		});
		const { thread } = await scene.api.showThread({ threadId: sent.threadId });
		expect(thread.turns[0]).toMatchObject({ resultCode: "success", syncStatus: "partial", syncedPaths: [] });
		expect(thread).toMatchObject({ lastResultCode: "success", lastTaskArtifactRelativePaths: ["new.txt"] });
		expect(scene.bridge.downloads.filter((path) => path.includes("old"))).toEqual([]);
	});

	it.each(["its thread was archived", "a newer turn was sent"])(
		"has all of its transcript when it is resolved after %s",
		async (change) => {
			await using scene = await CoreScene.open();
			const { run, sent } = await givenUp(scene);
			const first = run();
			scene.bridge.onRun = (next) => void next.end("completed");
			const { threadId } = sent;
			if (change === "its thread was archived") await scene.api.archiveThread({ threadId });
			await scene.bridge.listen();
			if (change === "a newer turn was sent") await scene.end(await scene.send("again", threadId));
			first.text("finished meanwhile").end("completed");
			await until("it was resolved", async () => (await scene.api.showThread({ threadId })).thread.turns[0]?.status === "completed");
			expect(shownOf(await scene.events(sent))).toEqual(first.log);
			expect(scene.bridge.countOf("session.start")).toBe(1);
		},
	);

	it.each([true, false])("before its run was known is not sent again when it is resolved, after a newer turn: %s", async (isNewer) => {
		await using scene = await CoreScene.open();
		const run = held(scene.bridge);
		// The bridge has the turn, and the app hears nothing of that.
		scene.bridge.fault = ({ method }) => (method.startsWith("session.") ? { kind: "cut", after: 0 } : { kind: "destroy" });
		const attachments = [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }];
		const sent = await scene.api.send({ prompt: "x", routing, attachments });
		expect((await scene.end(sent)).turn).toMatchObject({ status: "unresolved", syncStatus: "failed" });
		const { threadId, turnId } = sent;
		expect(await runId(scene, threadId)).toBeUndefined();
		const first = run();
		// A bridge refuses another submit under the same id.
		scene.bridge.fault = ({ params }) =>
			params.prompt !== undefined && params.turnId === turnId ? { kind: "error", code: "TURN_CONFLICT" } : undefined;
		scene.bridge.onRun = (next) => void next.end("completed");
		if (isNewer) await scene.end(await scene.send("again", threadId));
		first.text("finished meanwhile").end("completed");
		const turn = async () => (await scene.api.showThread({ threadId })).thread.turns[0];
		await until("it has ended", async () => ["completed", "refused"].includes((await turn())?.status ?? ""));
		expect(await turn()).toMatchObject({ status: "completed", runId: first.runId });
		expect(shownOf(await scene.events(sent))).toEqual(first.log);
	});

	it("is known to be missing when the bridge comes back without its run, and is asked about as before", async () => {
		await using scene = await CoreScene.open({ unresolvedAskMs: 30 });
		const { run, sent } = await givenUp(scene);
		const shown = async () => (await scene.api.showThread({ threadId: sent.threadId })).thread;
		const { unresolvedSince } = (await shown()).turns[0] ?? {};
		const [lost] = scene.bridge.runs.splice(0);
		await scene.bridge.listen();
		await until("it is missing", async () => (await shown()).turns[0]?.resultDetail?.code === "NOT_FOUND");
		expect((await shown()).turns).toMatchObject([{ status: "unresolved", unresolvedSince, resultCode: "interrupted" }]);
		expect(await shown()).toMatchObject({ lifecycleStatus: "ready", lastResultDetail: { code: "NOT_FOUND" } });
		// It was another bridge, and this one has the run.
		if (lost !== undefined) scene.bridge.runs.push(lost);
		run().end("failed", {}, "NO_OUTPUT");
		await until("it is over", async () => (await shown()).turns[0]?.status === "failed");
		expect(scene.bridge.countOf("session.start")).toBe(1);
	});

	it("that the bridge never had is known as such, and not sent by itself", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.fault = () => ({ kind: "destroy" });
		const sent = await scene.send("x");
		expect(await scene.end(sent)).toMatchObject({ turn: { status: "unresolved", resultCode: "ACP_HTTP_CONNECTION_CLOSED" } });
		scene.bridge.fault = () => undefined;
		await scene.api.showThread({ threadId: sent.threadId });
		await until("it is known", async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.turns[0]?.status === "refused");
		expect(scene.bridge.runs).toEqual([]);
	});
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { waitFor, writeReport } from "../../support/bridge/scripts.ts";
import { settle, settleAgain, timeless } from "../../support/bridge/settle.ts";
import { processesNaming } from "../../support/machine/live-processes.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import type { BareClient } from "../../support/wire/bare-client.ts";
import type { EventStream } from "../../support/wire/event-stream.ts";
import { refused } from "../../support/wire/refused.ts";
import { turn } from "../../support/wire/turn.ts";
import { TaskSnapshot } from "../../support/wire/wire.ts";

// Each test has threads of its own, and most of their time is waiting: they run at once.
let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	bridge = await startBridge({ providers: [unrulyAgent()], env: { XWORKMATE_MAX_ACTIVE_RUNS: "16" } });
	client = bridge.client();
});
afterAll(() => bridge[Symbol.asyncDispose]());

const unruly = (prompt: string, threadId?: string) =>
	turn({ prompt: `UNRULY:${prompt}`, providerId: "unruly", ...(threadId === undefined ? {} : { threadId }) });
const cancel = async (runId: string) => TaskSnapshot.parse(await client.rpc("xworkmate.tasks.cancel", { runId }));
const said = (text: string) => (stream: EventStream) =>
	stream.until(`"${text}"`, ({ update }) => update.kind === "message_delta" && String(update.text).includes(text));

/** The run's progress once it is at that place of a queue that long. */
function placeOf(runId: string, queuePosition: number, queueLength: number): Promise<TaskSnapshot["progress"]> {
	return waitUntil(`place ${queuePosition} of ${queueLength} in the queue`, 5_000, async () => {
		const { progress } = await client.snapshot({ runId });
		return progress?.queuePosition === queuePosition && progress.queueLength === queueLength ? progress : undefined;
	});
}

it.concurrent.each([
	["a script", turn({ prompt: waitFor(60_000), providerId: "script" }), "waiting"],
	["an agent that hears", unruly("SAY started ;; HANG"), "started"],
	["an agent that ends its turn another way", unruly("SAY started ;; SLOW 1000 50 ;; ERROR -32603 stopped"), "started"],
])("confirms the stop of %s", async (_, params, words) => {
	const { snapshot } = await settle(client, params, {
		during: async (stream) => {
			const { runId } = await said(words)(stream);
			const answer = await cancel(runId);
			expect(answer.cancelRequestedAt).toBeDefined();
		},
	});
	expect(snapshot).toMatchObject({ status: "cancelled", success: false });
	expect(snapshot).not.toHaveProperty("code");
});

it.concurrent("ends an agent that ignores the cancel, with its process group", async () => {
	const { snapshot, updates } = await settle(client, unruly("IGNORE_CANCEL ;; STUBBORN ;; SPAWN_CHILD ;; SESSION ;; SLOW 100000 20"), {
		during: async (stream) => {
			const { runId } = await said("tick")(stream);
			await cancel(runId);
		},
	});
	expect(snapshot.status).toBe("cancelled");
	const words = updates.map(({ update }) => String(update.text ?? "")).join("");
	const pids = [/child (\d+)/, /pid (\d+)/].map((pattern) => Number(pattern.exec(words)?.[1]));
	expect(pids.every((pid) => pid > 0)).toBe(true);
	await waitUntil("the end of the stubborn agent and its child", 8_000, async () => {
		const left = await processesNaming(bridge.home.path);
		return left.some(({ pid }) => pids.includes(pid)) ? undefined : true;
	});
});

it.concurrent("cancels a queued turn at once, and runs the next in order", async () => {
	const first = await client.stream("session.start", unruly("SAY started ;; HANG"));
	const { threadId, runId } = await said("started")(first);
	const queued = TaskSnapshot.parse(await client.rpc("session.message", unruly("SAY second", threadId)));
	const third = TaskSnapshot.parse(await client.rpc("session.message", unruly("SAY third", threadId)));
	expect([queued.status, third.status]).toEqual(["queued", "queued"]);
	expect(await placeOf(queued.runId, 1, 2)).toMatchObject({ stage: "queued" });
	expect(await placeOf(third.runId, 2, 2)).toMatchObject({ stage: "queued" });
	expect(await cancel(queued.runId)).toMatchObject({ status: "cancelled", lastSeq: expect.any(Number) });
	expect(await placeOf(third.runId, 1, 1)).toMatchObject({ stage: "queued" });
	expect((await client.snapshot({ runId })).status).toBe("running");
	await cancel(runId);
	expect((await settleAgain(client, third.runId)).snapshot).toMatchObject({ status: "completed", output: { text: "third" } });
	expect((await settleAgain(client, queued.runId)).snapshot.status).toBe("cancelled");
	expect((await settleAgain(client, runId)).snapshot.status).toBe("cancelled");
});

it.concurrent("keeps the result of a turn that was cancelled while its files were collected", async () => {
	const { snapshot } = await settle(client, unruly("WRITE_MANY 300 2000 ;; SAY done"), {
		during: async (stream) => {
			const { runId } = await stream.untilStage("collecting");
			await cancel(runId);
		},
	});
	expect(snapshot).toMatchObject({ status: "completed", success: true, artifacts: { count: 300 } });
});

it.concurrent("answers a cancel after the end with the same snapshot", async () => {
	const { snapshot } = await settle(client, turn({ prompt: writeReport, providerId: "script" }));
	expect(timeless(await cancel(snapshot.runId))).toBe(timeless(snapshot));
	expect((await refused(client.rpc("xworkmate.tasks.cancel", { runId: "nobody" }))).data.code).toBe("NOT_FOUND");
	const scope = { runId: snapshot.runId, artifactScope: snapshot.artifactScope.replace(/\/[^/]+$/, "/other") };
	expect((await refused(client.rpc("xworkmate.tasks.cancel", scope))).data.code).toBe("SCOPE_MISMATCH");
});

it.concurrent("cancels all of a session, closes it, and begins it anew", async () => {
	const first = await client.stream("session.start", unruly("SAY started ;; HANG"));
	const { threadId, runId, sessionId } = await said("started")(first);
	const queued = TaskSnapshot.parse(await client.rpc("session.message", unruly("SAY never", threadId)));
	expect((await refused(client.rpc("xworkmate.threads.delete", { threadId }))).data).toMatchObject({
		code: "THREAD_BUSY",
		retryable: true,
	});
	const cancelled = await client.rpc("session.cancel", { sessionId });
	expect(cancelled).toMatchObject({
		cancelled: expect.arrayContaining([expect.objectContaining({ runId: queued.runId, status: "cancelled" })]),
	});
	expect((await settleAgain(client, runId)).snapshot.status).toBe("cancelled");
	expect(await client.rpc("session.close", { sessionId })).toEqual({ closed: true });
	expect((await refused(client.rpc("session.message", unruly("SAY no", threadId)))).data.code).toBe("SESSION_CLOSED");
	expect((await settle(client, unruly("SAY anew", threadId))).snapshot).toMatchObject({ status: "completed", output: { text: "anew" } });
	expect(await client.rpc("xworkmate.threads.delete", { threadId })).toMatchObject({ deletedRuns: 3 });
	expect((await refused(client.snapshot({ runId }))).data.code).toBe("NOT_FOUND");
});

it.concurrent("[T4-81] ends a run at its deadline with a named reason", async () => {
	await using hasty = await startBridge({
		providers: [unrulyAgent()],
		env: { XWORKMATE_RUN_BUDGET_MS: "600", XWORKMATE_DEADLINE_GRACE_MS: "300" },
	});
	for (const params of [
		unruly("SAY started ;; HANG"),
		unruly("IGNORE_CANCEL ;; STUBBORN ;; SLOW 100000 20"),
		turn({ prompt: waitFor(60_000), providerId: "script" }),
	]) {
		const { snapshot } = await settle(hasty.client(), params);
		expect(snapshot).toMatchObject({ status: "interrupted", code: "DEADLINE_EXCEEDED" });
	}
});

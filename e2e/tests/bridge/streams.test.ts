import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { sayLines, waitFor, writeReport } from "../../support/bridge/scripts.ts";
import { type FollowedRun, follow, settle, settleAgain, timeless } from "../../support/bridge/settle.ts";
import { type CutHow, cutHows, cuttingProxy } from "../../support/machine/cutting-proxy.ts";
import type { BareClient } from "../../support/wire/bare-client.ts";
import { refused } from "../../support/wire/refused.ts";
import { turn } from "../../support/wire/turn.ts";
import { TaskSnapshot } from "../../support/wire/wire.ts";

// Many heartbeats long: a busy machine is not a drop.
const IDLE_MS = 2_500;
const ANSWER_MS = 500;
const LINES = 3;
let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	bridge = await startBridge({ env: { XWORKMATE_MAX_ACTIVE_RUNS: "32", XWORKMATE_HEARTBEAT_MS: "100" } });
	client = bridge.client();
});
afterAll(() => bridge[Symbol.asyncDispose]());

const talk = (more: Partial<Parameters<typeof turn>[0]> = {}) => turn({ prompt: sayLines(LINES, 25), providerId: "script", ...more });

/** What two runs of the same prompt have in common. */
const essence = ({ snapshot }: FollowedRun) => ({
	status: snapshot.status,
	output: snapshot.output,
	artifacts: snapshot.artifacts.digest,
	rejected: snapshot.rejectedArtifacts,
});

async function settleThroughCut(afterEvents: number, how: CutHow): Promise<FollowedRun & { readonly cuts: number }> {
	await using proxy = await cuttingProxy(bridge.port);
	proxy.mode = { kind: "cut", afterEvents, how };
	const cut = bridge.client(proxy.port);
	const followed = await settle(cut, talk(), {
		idleMs: IDLE_MS,
		onDrop: () => {
			proxy.mode = { kind: "pass" };
		},
	});
	return { ...followed, cuts: proxy.cuts };
}

it("[T4-17] [T4-44] gives the same end however and wherever the live stream is cut", async () => {
	const whole = await settle(client, talk());
	expect(whole.snapshot).toMatchObject({ status: "completed", success: true });
	expect(whole.snapshot.lastSeq).toBeGreaterThanOrEqual(LINES + 3);
	const positions = Array.from({ length: whole.snapshot.lastSeq }, (_, index) => index + 1);
	const cutRuns = await Promise.all(positions.map((n, index) => settleThroughCut(n, cutHows[index % cutHows.length] ?? "destroy")));
	for (const [index, run] of cutRuns.entries()) {
		expect(essence(run), `cut after event ${positions[index]}`).toEqual(essence(whole));
		if (run.snapshot.lastSeq > index) expect(run.cuts, `cut after event ${positions[index]}`).toBe(1);
	}
});

it.each(cutHows)("[T4-81] replays a finished run whole over a cut after every event: %s", async (how) => {
	const whole = await settle(client, talk());
	const { runId, lastSeq } = whole.snapshot;
	await using proxy = await cuttingProxy(bridge.port);
	const cut = bridge.client(proxy.port);
	const replays = [];
	for (let n = 1; n <= lastSeq + 1; n++) {
		proxy.mode = { kind: "cut", afterEvents: n, how };
		// The proxy reads its mode when a connection opens: after this one the next passes.
		const stream = await cut.stream("xworkmate.tasks.subscribe", { runId, afterSeq: 0 }, { idleMs: IDLE_MS });
		replays.push(stream);
	}
	proxy.mode = { kind: "pass" };
	for (const stream of replays) {
		const replay = await follow(cut, stream, { idleMs: IDLE_MS });
		expect(replay.updates).toEqual(whole.updates);
		expect(timeless(replay.snapshot)).toBe(timeless(whole.snapshot));
	}
	expect(proxy.cuts).toBe(lastSeq + 1);
});

it("finds the same run when the answer to a submit was lost", async () => {
	await using proxy = await cuttingProxy(bridge.port);
	const lossy = bridge.client(proxy.port);
	const params = turn({ prompt: writeReport, providerId: "script" });
	for (const mode of [{ kind: "blackhole" }, { kind: "reset" }, { kind: "cut", afterEvents: 0, how: "stall" }] as const) {
		proxy.mode = mode;
		await expect(lossy.stream("session.start", params, { answerMs: ANSWER_MS })).rejects.toThrow();
	}
	const accepted = await client.snapshot({ threadId: params.threadId, turnId: params.turnId });
	proxy.mode = { kind: "pass" };
	const run = await settle(lossy, params);
	expect(run.snapshot.runId).toBe(accepted.runId);
	expect(await client.rpc("xworkmate.tasks.list", { threadId: params.threadId })).toMatchObject({ items: [{ runId: accepted.runId }] });
});

it("goes on without readers, and shows the whole log to a late one", async () => {
	const params = talk();
	const stream = await client.stream("session.start", params);
	const { runId } = await stream.until("the first update", () => true);
	stream.close();
	const late = await settleAgain(client, runId);
	expect(late.snapshot.status).toBe("completed");
	expect(late.updates.length).toBe(late.snapshot.lastSeq);
});

it("[T4-79] answers a submit in JSON with a running handle, never with a result", async () => {
	const handle = TaskSnapshot.parse(await client.rpc("session.start", turn({ prompt: waitFor(200), providerId: "script" })));
	expect(["queued", "running"]).toContain(handle.status);
	expect(handle).toMatchObject({ success: false, artifacts: { count: 0 } });
	expect(handle).not.toHaveProperty("output");
	expect((await settleAgain(client, handle.runId)).snapshot.status).toBe("completed");
});

it("beats while nothing happens, without touching the seq", async () => {
	const run = await settle(client, turn({ prompt: waitFor(800), providerId: "script" }), { idleMs: IDLE_MS });
	expect(run.snapshot.status).toBe("completed");
	expect(run.heartbeats).toBeGreaterThanOrEqual(3);
	expect(run.drops).toEqual([]);
});

it("carries status, ids and scope in the first and the last update", async () => {
	const run = await settle(client, turn({ prompt: writeReport, providerId: "script" }));
	expect(["queued", "running"]).toContain(run.updates[0]?.status);
	expect(run.updates[0]).toMatchObject({ runId: run.snapshot.runId, artifactScope: run.snapshot.artifactScope });
	expect(run.updates.at(-1)).toMatchObject({ status: "completed", seq: run.snapshot.lastSeq });
	expect(run.snapshot.artifacts.items.map(({ relativePath }) => relativePath)).toEqual(["report.md"]);
});

it("resumes where it is told, Last-Event-ID before afterSeq, and refuses what cannot be resumed", async () => {
	const { snapshot, updates } = await settle(client, talk());
	const { runId, lastSeq } = snapshot;
	const resumed = await client.stream("xworkmate.tasks.subscribe", { runId, afterSeq: 1 }, { lastEventId: lastSeq - 2 });
	await resumed.ended;
	expect(resumed.updates).toEqual(updates.slice(-2));
	const atTheEnd = await client.stream("xworkmate.tasks.subscribe", { runId, afterSeq: lastSeq });
	expect((await atTheEnd.ended).kind).toBe("response");
	expect(atTheEnd.updates).toEqual([]);
	const ahead = await refused(client.stream("xworkmate.tasks.subscribe", { runId, afterSeq: lastSeq + 1 }));
	expect(ahead.data).toMatchObject({ code: "SEQ_AHEAD", retryable: false });
	expect((await refused(client.rpc("xworkmate.tasks.subscribe", { runId }))).data.code).toBe("STREAM_REQUIRED");
	expect((await refused(client.stream("xworkmate.tasks.subscribe", { runId: "nobody" }))).data.code).toBe("NOT_FOUND");
});

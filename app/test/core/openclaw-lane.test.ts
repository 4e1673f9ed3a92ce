import { existsSync } from "node:fs";
import { join } from "node:path";
import { ThreadId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { SentTurn, TurnEvent } from "../../src/core/index.ts";
import { CoreScene } from "../support/core-scene.ts";
import type { FakeRun } from "../support/fake-run.ts";
import { until } from "../support/until.ts";

/** A scene whose runs go on until they are ended. */
async function lane(
	limits: { maxActive: number; maxQueued: number },
	bounds: Parameters<typeof CoreScene.open>[0] = {},
): Promise<CoreScene> {
	const scene = await CoreScene.open(bounds);
	scene.bridge.openclaw = limits;
	scene.bridge.onRun = (run) => void run.text("at work");
	return scene;
}

const count = (scene: CoreScene, runs: number) => until(`${runs} runs began`, () => scene.bridge.runs.length >= runs);

function runOf(scene: CoreScene, { turnId }: SentTurn): FakeRun {
	const run = scene.bridge.runs.find((each) => each.turnId === turnId);
	if (run === undefined) throw new Error(`turn ${turnId} has no run`);
	return run;
}

async function threadOf(scene: CoreScene, { threadId }: SentTurn) {
	return (await scene.core.showThread(threadId)).thread;
}

function places(events: readonly TurnEvent[]): readonly string[] {
	return events.flatMap((event) => (event.type === "lane" ? [`${event.position}/${event.length}`] : []));
}

describe("a busy OpenClaw lane", () => {
	it("[T4-39] idle, it takes a turn with the same call as an agent's", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		const sent = await scene.sendToGateway("first");
		await count(scene, 1);
		expect(scene.bridge.calls[0]).toMatchObject({
			method: "session.start",
			params: { turnId: sent.turnId, routing: { executionTarget: "gateway" } },
		});
		expect(await threadOf(scene, sent)).toMatchObject({ lifecycleStatus: "running", lastArtifactSyncStatus: "running" });
	});

	it("[T4-08] [T4-40] [T4-52] [T4-53] lets the next wait until a run is over; an accepted one is not", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		const watching = scene.events(second);
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "queued", lastArtifactSyncStatus: "queued" });
		await until("the first was accepted", async () => (await threadOf(scene, first)).turns[0]?.runId !== undefined);
		await until("the bridge has named its bounds", async () => (await scene.core.lane()).limits.maxQueued === 5);
		const third = await scene.sendToGateway("third");
		expect((await scene.core.showThread(third.threadId)).lane).toEqual({ position: 2, length: 2 });
		expect(await scene.core.lane()).toMatchObject({ active: [first], waiting: [second, third] });
		expect(scene.submitted).toEqual(["first"]);
		runOf(scene, first).end("completed");
		await count(scene, 2);
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "running" });
		expect((await scene.core.showThread(third.threadId)).lane).toEqual({ position: 1, length: 1 });
		runOf(scene, second).end("completed");
		expect(places(await watching).at(-1)).toBe("1/2");
		await count(scene, 3);
		expect(scene.submitted).toEqual(["first", "second", "third"]);
	});

	it("does not hold up agents", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 0 });
		await scene.sendToGateway("gateway");
		const agent = await scene.send("agent");
		await count(scene, 2);
		expect(await threadOf(scene, agent)).toMatchObject({ lifecycleStatus: "running" });
	});

	it("frees the slot when the run is over, not when its files are here", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		scene.bridge.onFile = () => "hang";
		const first = await scene.sendToGateway("first");
		await scene.sendToGateway("second");
		await count(scene, 1);
		runOf(scene, first).end("completed", { "a.txt": "a" });
		await count(scene, 2);
		expect(await threadOf(scene, first)).toMatchObject({ lifecycleStatus: "running", lastArtifactSyncStatus: "syncing" });
	});

	it("[T4-54] forgets a turn that is given up while it waits, without a word to the bridge", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		const third = await scene.sendToGateway("third");
		await count(scene, 1);
		await scene.core.cancelTurn(second.threadId, second.turnId);
		expect(await scene.end(second)).toMatchObject({
			turn: { status: "cancelled", resultCode: "aborted" },
			thread: { lifecycleStatus: "ready", lastResultCode: "aborted" },
		});
		expect((await scene.core.showThread(third.threadId)).lane).toEqual({ position: 1, length: 1 });
		expect(scene.bridge.countOf("xworkmate.tasks.cancel")).toBe(0);
		runOf(scene, first).end("completed");
		await count(scene, 2);
		expect(scene.submitted).toEqual(["first", "third"]);
	});

	it("[T4-54] full, it keeps the person's turn and says so; what came before is not touched", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 1 });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		await until("the bridge has named its bounds", async () => (await scene.core.lane()).limits.maxQueued === 1);
		const third = await scene.sendToGateway("third, with  spaces ");
		const { turn, thread } = await scene.end(third);
		expect(turn).toMatchObject({ status: "refused", resultCode: "OPENCLAW_GATEWAY_QUEUE_FULL", resultDetail: { fix: expect.any(String) } });
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "OPENCLAW_GATEWAY_QUEUE_FULL" });
		expect((await scene.core.showThread(third.threadId)).prompts).toEqual({ [third.turnId]: "third, with  spaces " });
		runOf(scene, first).end("completed");
		await count(scene, 2);
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "running" });
		expect(scene.submitted).toEqual(["first", "second"]);
	});

	it("[T4-08] [T4-40] twelve over a limit of two: in order, within the limit, one cancelled, the app restarted in the middle", async () => {
		await using scene = await lane({ maxActive: 2, maxQueued: 20 });
		const sent: SentTurn[] = [];
		for (let index = 1; index <= 12; index++) sent.push(await scene.sendToGateway(`turn ${index}`));
		const seventh = sent[6];
		if (seventh === undefined) throw new Error("there are twelve");
		await scene.core.cancelTurn(seventh.threadId, seventh.turnId);
		let mostAtOnce = 0;
		for (let ended = 0; ended < 11; ended++) {
			await count(scene, Math.min(11, ended + 2));
			mostAtOnce = Math.max(mostAtOnce, scene.bridge.runs.filter((run) => !run.over).length);
			if (ended === 4) await scene.restart();
			scene.bridge.runs[ended]?.end("completed");
		}
		for (const each of sent) await scene.end(each);
		expect(mostAtOnce).toBe(2);
		expect(scene.submitted).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12].map((index) => `turn ${index}`));
		expect(scene.faults).toEqual([]);
	});
});

describe("what a waiting turn is", () => {
	it("is fixed when it is sent: words, routing, contract, context and attachments, also after a restart", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		const second = await scene.core.send({
			prompt: "  second\n",
			routing: { executionTarget: "gateway", model: "m-1" },
			require: ["*.pdf"],
			requiresExport: true,
			remoteWorkingDirectoryHint: "/srv/work",
			attachments: [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }],
		});
		await count(scene, 1);
		await scene.restart(() => void runOf(scene, first).end("completed"));
		await count(scene, 2);
		expect(scene.bridge.calls.find(({ params }) => params.turnId === second.turnId)?.params).toMatchObject({
			prompt: "  second\n",
			routing: { executionTarget: "gateway", model: "m-1" },
			workspaceContext: expect.stringContaining("at least 1 file(s) matching *.pdf"),
			remoteWorkingDirectoryHint: "/srv/work",
			attachments: [{ name: "a.txt", base64: "YQ==" }],
			metadata: { xworkmateTaskArtifactContract: { requiresExport: true, required: [{ glob: "*.pdf", minCount: 1 }] } },
		});
		expect((await scene.core.showThread(second.threadId)).prompts).toEqual({ [second.turnId]: "  second\n" });
	});

	it("[T4-73] [T4-77] names the current task workspace in the context and in the metadata, and neither in the transcript", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		const sent = await scene.sendToGateway("do it");
		await count(scene, 1);
		const { params } = scene.bridge.calls[0] ?? {};
		expect(params?.workspaceContext).toContain("current task workspace: $XWORKMATE_ARTIFACT_DIRECTORY\n");
		expect(params?.metadata).toMatchObject({ xworkmateTaskArtifactContract: { currentTaskWorkspace: "$XWORKMATE_ARTIFACT_DIRECTORY" } });
		expect(params?.prompt).toBe("do it");
		const shown = JSON.stringify(await scene.core.showThread(sent.threadId));
		expect(shown).not.toContain("XWORKMATE_ARTIFACT_DIRECTORY");
	});

	it("a thread that waits takes no second turn, and no thread waits twice", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		await expect(scene.sendToGateway("third", second.threadId)).rejects.toMatchObject({ code: "THREAD_BUSY" });
		await expect(scene.core.deleteThread(second.threadId)).rejects.toMatchObject({ code: "THREAD_BUSY" });
		expect((await scene.core.lane()).waiting).toEqual([second]);
	});
});

describe("a lane that is paused", () => {
	const paused = (events: readonly TurnEvent[]) => events.flatMap((event) => (event.type === "lane" && event.paused ? [event.paused] : []));

	it("while the bridge cannot be reached, and says so; it goes on when the bridge is back", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 }, { client: { recoveryMs: 10_000 } });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		const watching = scene.events(second);
		await until("the first was accepted", async () => (await threadOf(scene, first)).turns[0]?.runId !== undefined);
		await scene.bridge.down();
		await until("it is paused", async () => (await scene.core.showThread(second.threadId)).lane?.paused !== undefined);
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "queued" });
		runOf(scene, first).end("completed");
		await scene.bridge.listen();
		await count(scene, 2);
		runOf(scene, second).end("completed");
		const [pause] = paused(await watching);
		expect(pause?.code).toMatch(/^ACP_HTTP_CONNECT/);
		expect(await scene.end(first)).toMatchObject({ turn: { status: "completed" } });
		expect(await scene.end(second)).toMatchObject({ turn: { status: "completed" } });
	});

	it("while the gateway cannot be used, in the bridge's words; no turn is sent to be refused", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		await until("the bridge has named its bounds", async () => (await scene.core.lane()).limits.maxQueued === 5);
		const unavailable = { code: "GATEWAY_TOKEN_WRONG", message: "the gateway does not accept the token", fix: "Set the token." };
		scene.bridge.gateway = { available: false, unavailable };
		await count(scene, 1);
		runOf(scene, first).end("failed", {}, "OPENCLAW_AGENT_ERROR");
		await until("it is paused", async () => (await scene.core.lane()).paused !== undefined);
		expect((await scene.core.showThread(second.threadId)).lane).toEqual({ position: 1, length: 1, paused: unavailable });
		await scene.restart();
		await until("it is paused again", async () => (await scene.core.lane()).paused !== undefined);
		expect(scene.submitted).toEqual(["first"]);
		scene.bridge.gateway = { available: true };
		await count(scene, 2);
		expect((await scene.core.lane()).paused).toBeUndefined();
		runOf(scene, second).end("completed");
		expect(await scene.end(second)).toMatchObject({ turn: { status: "completed" } });
	});

	const needsPerson = { code: "GATEWAY_TOKEN_WRONG", message: "the token is wrong", fix: "Set the token." };

	it("a turn for an idle lane is refused in the gateway's words when a person has to act first, and kept", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		scene.bridge.gateway = { available: false, unavailable: needsPerson };
		const { turn, thread } = await scene.end(await scene.sendToGateway("first"));
		const detail = { code: "GATEWAY_UNAVAILABLE", message: "the token is wrong", fix: "Set the token." };
		expect(turn).toMatchObject({ status: "refused", resultDetail: detail });
		expect(thread).toMatchObject({ lifecycleStatus: "ready" });
		expect((await scene.core.lane()).active).toEqual([]);
	});

	it("a turn for an idle lane waits while the gateway is only away, first in line, and may be given up", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		const unavailable = { code: "GATEWAY_UNREACHABLE", message: "it is away", fix: "Start it." };
		scene.bridge.gateway = { available: false, unavailable };
		const first = await scene.sendToGateway("first");
		const watching = scene.events(first);
		await until("it waits", async () => (await threadOf(scene, first)).lifecycleStatus === "queued");
		const second = await scene.sendToGateway("second");
		const third = await scene.sendToGateway("third");
		await until("all wait", async () => (await scene.core.lane()).waiting.length === 3);
		expect((await scene.core.showThread(first.threadId)).lane).toEqual({ position: 1, length: 3, paused: unavailable });
		await scene.core.cancelTurn(second.threadId, second.turnId);
		await scene.restart();
		expect(scene.bridge.runs).toEqual([]);
		scene.bridge.onRun = (run) => void run.end("completed");
		scene.bridge.gateway = { available: true };
		for (const each of [first, third]) expect(await scene.end(each)).toMatchObject({ turn: { status: "completed" } });
		expect(scene.bridge.runs.map(({ turnId }) => turnId)).toEqual([first.turnId, third.turnId]);
		expect(paused(await watching)[0]).toEqual(unavailable);
	});
});

describe("a gateway run whose end is hard to learn", () => {
	/** The first run's handle is known, then the bridge fails every question about it for longer than the bound. */
	async function lost(scene: CoreScene, code: "NOT_FOUND" | undefined): Promise<SentTurn> {
		const sent = await scene.sendToGateway("first");
		await until("its handle is known", async () => (await threadOf(scene, sent)).turns[0]?.runId !== undefined);
		await scene.restart(() => {
			scene.bridge.fault = ({ method }) => {
				if (method === "acp.capabilities") return undefined;
				return code === undefined ? { kind: "status", status: 503 } : { kind: "error", code };
			};
		});
		return sent;
	}

	it.each([
		[undefined, "ACP_HTTP_503", "INTERNAL"],
		["NOT_FOUND", "interrupted", "NOT_FOUND"],
	] as const)(
		"[T4-59] [T4-85] [T4-86] a question that fails with %s after recovery is recorded as %s, the thread is ready, and the late result is taken",
		async (fault, resultCode, code) => {
			await using scene = await lane({ maxActive: 1, maxQueued: 5 });
			const sent = await lost(scene, fault);
			const { turn, thread } = await scene.end(sent);
			expect(turn).toMatchObject({ status: "unresolved", resultCode, resultDetail: { code, message: expect.any(String) } });
			expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: resultCode, lastArtifactSyncStatus: "failed" });
			expect(thread.pendingTurnId).toBeUndefined();
			// Not forgotten: the run's id stays with the turn, and its end is asked for again.
			expect(turn.runId).toBe(runOf(scene, sent).runId);
			runOf(scene, sent).end("completed", { "late.txt": "late" });
			scene.bridge.fault = () => undefined;
			await scene.restart();
			await until("it was taken", async () => (await threadOf(scene, sent)).lastArtifactSyncStatus === "synced");
			expect(await threadOf(scene, sent)).toMatchObject({ lastResultCode: "success", lastTaskArtifactRelativePaths: ["late.txt"] });
		},
	);

	it("[T4-79] [T4-80] a running handle is asked about by its own fields alone, and is no result", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 }, { client: { pollMs: 10 } });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		await until("it was asked about", () => scene.bridge.countOf("xworkmate.tasks.get") > 3);
		const { runId, artifactScope } = (await threadOf(scene, first)).turns[0] ?? {};
		const asked = scene.bridge.calls.filter(({ method }) => method === "xworkmate.tasks.get").slice(1);
		for (const { params } of asked) expect(params).toEqual({ runId, artifactScope });
		expect(await threadOf(scene, first)).toMatchObject({ lifecycleStatus: "running" });
		expect((await threadOf(scene, first)).lastResultCode).toBeUndefined();
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "queued" });
	});

	it("one that was given up on while the bridge was away holds its slot again before the next goes", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		await until("its handle is known", async () => (await threadOf(scene, first)).turns[0]?.runId !== undefined);
		const second = await scene.sendToGateway("second");
		await scene.bridge.down();
		expect(await scene.end(first)).toMatchObject({ turn: { status: "unresolved" } });
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "queued" });
		await scene.bridge.listen();
		await until("the first is followed again", async () => (await threadOf(scene, first)).lifecycleStatus === "running");
		expect(scene.submitted).toEqual(["first"]);
		runOf(scene, first).end("completed");
		await count(scene, 2);
	});

	it("[T4-89] files without the required ones are the remote contract not met: named in the seed's words, nothing is synced", async () => {
		await using scene = await lane({ maxActive: 1, maxQueued: 5 });
		const message = "openclaw returned partial artifacts without required final deliverables";
		scene.bridge.onRun = (run) => {
			run.message = message;
			run.end("artifact_missing", { "draft.md": "half" }, "OPENCLAW_REQUIRED_ARTIFACT_MISSING");
		};
		const sent = await scene.sendToGateway("make a pdf");
		const { turn, thread, snapshot } = await scene.end(sent);
		expect(thread).toMatchObject({
			lifecycleStatus: "ready",
			lastResultCode: "OPENCLAW_REQUIRED_ARTIFACT_MISSING",
			lastResultDetail: { code: "OPENCLAW_REQUIRED_ARTIFACT_MISSING", message },
			lastArtifactSyncStatus: "failed",
			lastTaskArtifactRelativePaths: [],
		});
		expect(turn.syncedPaths).toEqual([]);
		expect(snapshot?.artifacts.count).toBe(1);
		expect(scene.bridge.downloads).toEqual([]);
		expect(existsSync(`${(await scene.core.showThread(sent.threadId)).folder}/draft.md`)).toBe(false);
	});
});

it("[T4-71] [T4-92] a gateway turn is called for at the bridge's own addresses, and no address of a gateway is kept", async () => {
	await using scene = await lane({ maxActive: 1, maxQueued: 5 });
	scene.bridge.onRun = (run) => void run.text("hello").end("completed", { "a.txt": "a" });
	const sent = await scene.sendToGateway("do it");
	await scene.end(sent);
	await scene.end(await scene.sendToGateway("again", sent.threadId));
	for (const address of scene.bridge.addresses) expect(address).toMatch(/^(POST \/acp\/rpc|GET \/artifacts\/run-\d+(\/.*)?)$/);
	const db = new Database(join(scene.home, "app", "app.sqlite"), { readonly: true });
	const kept = ["threads", "turns", "updates", "attachments"].flatMap((table) => db.prepare(`SELECT * FROM ${table}`).all());
	db.close();
	expect(JSON.stringify(kept)).not.toContain("://");
});

it("continues a thread of the gateway by session.message, one that never got there by session.start", async () => {
	await using scene = await lane({ maxActive: 1, maxQueued: 5 });
	scene.bridge.onRun = (run) => void run.end("completed");
	const threadId = ThreadId.parse("follow-up");
	await scene.end(await scene.sendToGateway("one", threadId));
	await scene.end(await scene.sendToGateway("two", threadId));
	const submits = scene.bridge.calls.filter(({ method }) => method.startsWith("session."));
	expect(submits.map(({ method }) => method)).toEqual(["session.start", "session.message"]);
});

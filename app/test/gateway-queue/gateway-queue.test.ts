import { join } from "node:path";
import { ThreadId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { SentTurn, TurnEvent } from "../../src/api/app-api.ts";
import { gatewayScene, runOf, runsBegun, threadOf } from "../support/gateway-scene.ts";
import { until } from "../support/until.ts";

function places(events: readonly TurnEvent[]): readonly string[] {
	return events.flatMap((event) => (event.type === "gatewayQueue" ? [`${event.position}/${event.length}`] : []));
}

describe("a busy OpenClaw queue", () => {
	it("[T4-39] idle, it takes a turn with the same call as an agent's", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const sent = await scene.sendToGateway("first");
		await runsBegun(scene, 1);
		expect(scene.bridge.calls[0]).toMatchObject({
			method: "session.start",
			params: { turnId: sent.turnId, routing: { executionTarget: "gateway" } },
		});
		expect(await threadOf(scene, sent)).toMatchObject({ lifecycleStatus: "running", lastArtifactSyncStatus: "running" });
	});

	it("[T4-08] [T4-40] [T4-52] [T4-53] lets the next wait until a run is over; an accepted one is not", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		const seen: TurnEvent[] = [];
		const watching = (async () => {
			for await (const event of scene.api.watch(second)) seen.push(event);
		})();
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "queued", lastArtifactSyncStatus: "queued" });
		await until("the first was accepted", async () => (await threadOf(scene, first)).turns[0]?.runId !== undefined);
		await until("the bridge has named its bounds", async () => (await scene.api.gatewayQueue()).limits.maxQueued === 5);
		const third = await scene.sendToGateway("third");
		expect((await scene.api.showThread({ threadId: third.threadId })).gatewayQueue).toEqual({ position: 2, length: 2 });
		expect(await scene.api.gatewayQueue()).toMatchObject({ active: [first], waiting: [second, third] });
		expect(scene.submitted).toEqual(["first"]);
		await until("whoever watches the second knows that the third waits behind it", () => places(seen).at(-1) === "1/2");
		runOf(scene, first).end("completed");
		await runsBegun(scene, 2);
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "running" });
		expect((await scene.api.showThread({ threadId: third.threadId })).gatewayQueue).toEqual({ position: 1, length: 1 });
		runOf(scene, second).end("completed");
		await watching;
		expect(places(seen).at(-1)).toBe("1/2");
		await runsBegun(scene, 3);
		expect(scene.submitted).toEqual(["first", "second", "third"]);
	});

	it("knows the bridge's bounds from the first time anybody asks for them", async () => {
		await using scene = await gatewayScene({ maxActive: 2, maxQueued: 1 });
		await scene.api.capabilities();
		const sent = [await scene.sendToGateway("first"), await scene.sendToGateway("second"), await scene.sendToGateway("third")];
		expect(await scene.api.gatewayQueue()).toMatchObject({ active: sent.slice(0, 2), waiting: sent.slice(2) });
		expect(await scene.end(await scene.sendToGateway("fourth"))).toMatchObject({ turn: { resultCode: "OPENCLAW_GATEWAY_QUEUE_FULL" } });
	});

	it("does not hold up agents", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 0 });
		await scene.sendToGateway("gateway");
		const agent = await scene.send("agent");
		await runsBegun(scene, 2);
		expect(await threadOf(scene, agent)).toMatchObject({ lifecycleStatus: "running" });
	});

	it("frees the slot when the run is over, not when its files are here", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		scene.bridge.onFile = () => "hang";
		const first = await scene.sendToGateway("first");
		await scene.sendToGateway("second");
		await runsBegun(scene, 1);
		runOf(scene, first).end("completed", { "a.txt": "a" });
		await runsBegun(scene, 2);
		expect(await threadOf(scene, first)).toMatchObject({ lifecycleStatus: "running", lastArtifactSyncStatus: "syncing" });
	});

	it("[T4-54] forgets a turn that is given up while it waits, without a word to the bridge", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		const third = await scene.sendToGateway("third");
		await runsBegun(scene, 1);
		await scene.api.cancelTurn(second);
		expect(await scene.end(second)).toMatchObject({
			turn: { status: "cancelled", resultCode: "aborted" },
			thread: { lifecycleStatus: "ready", lastResultCode: "aborted" },
		});
		expect((await scene.api.showThread({ threadId: third.threadId })).gatewayQueue).toEqual({ position: 1, length: 1 });
		expect(scene.bridge.countOf("xworkmate.tasks.cancel")).toBe(0);
		runOf(scene, first).end("completed");
		await runsBegun(scene, 2);
		expect(scene.submitted).toEqual(["first", "third"]);
	});

	it("[T4-54] full, it keeps the person's turn and says so; what came before is not touched", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 1 });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		await until("the bridge has named its bounds", async () => (await scene.api.gatewayQueue()).limits.maxQueued === 1);
		const third = await scene.sendToGateway("third, with  spaces ");
		const { turn, thread } = await scene.end(third);
		expect(turn).toMatchObject({ status: "refused", resultCode: "OPENCLAW_GATEWAY_QUEUE_FULL", resultDetail: { fix: expect.any(String) } });
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "OPENCLAW_GATEWAY_QUEUE_FULL" });
		expect((await scene.api.showThread({ threadId: third.threadId })).prompts).toEqual({ [third.turnId]: "third, with  spaces " });
		runOf(scene, first).end("completed");
		await runsBegun(scene, 2);
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "running" });
		expect(scene.submitted).toEqual(["first", "second"]);
	});

	it("[T4-08] [T4-40] twelve over a limit of two: in order, within the limit, one cancelled, the app restarted in the middle", async () => {
		await using scene = await gatewayScene({ maxActive: 2, maxQueued: 20 });
		const sent: SentTurn[] = [];
		for (let index = 1; index <= 12; index++) sent.push(await scene.sendToGateway(`turn ${index}`));
		const seventh = sent[6];
		if (seventh === undefined) throw new Error("there are twelve");
		await scene.api.cancelTurn(seventh);
		let mostAtOnce = 0;
		for (let ended = 0; ended < 11; ended++) {
			await runsBegun(scene, Math.min(11, ended + 2));
			mostAtOnce = Math.max(mostAtOnce, scene.bridge.runs.filter((run) => !run.over).length);
			if (ended === 4) await scene.restart();
			scene.bridge.runs[ended]?.end("completed");
		}
		for (const each of sent) await scene.end(each);
		expect(mostAtOnce).toBe(2);
		expect(scene.submitted).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12].map((index) => `turn ${index}`));
		expect(scene.faults).toEqual([]);
	});

	it("[T4-08] a restart of the app sends no turn that waits: its slot is still taken", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		await scene.sendToGateway("second");
		await runsBegun(scene, 1);
		await scene.restart();
		// Turns of an agent that begin and end after the restart: whatever the restart sent has arrived by then.
		for (const prompt of ["agent", "agent again", "agent once more"]) {
			const sent = await scene.send(prompt);
			await until(`the run of ${prompt} began`, () => scene.bridge.runs.some(({ turnId }) => turnId === sent.turnId));
			runOf(scene, sent).end("completed");
			await scene.end(sent);
		}
		expect(scene.submitted).toEqual(["first", "agent", "agent again", "agent once more"]);
		runOf(scene, first).end("completed");
		await until("the second was sent", () => scene.submitted.includes("second"));
	});
});

describe("what a waiting turn is", () => {
	it("is fixed when it is sent: words, routing, contract, context and attachments, also after a restart", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		const second = await scene.api.send({
			prompt: "  second\n",
			routing: { executionTarget: "gateway", model: "m-1" },
			require: ["*.pdf"],
			requiresExport: true,
			remoteWorkingDirectoryHint: "/srv/work",
			attachments: [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }],
		});
		await runsBegun(scene, 1);
		await scene.restart(() => void runOf(scene, first).end("completed"));
		await runsBegun(scene, 2);
		expect(scene.bridge.calls.find(({ params }) => params.turnId === second.turnId)?.params).toMatchObject({
			prompt: "  second\n",
			routing: { executionTarget: "gateway", model: "m-1" },
			workspaceContext: expect.stringContaining("at least 1 file(s) matching *.pdf"),
			remoteWorkingDirectoryHint: "/srv/work",
			attachments: [{ name: "a.txt", base64: "YQ==" }],
			metadata: { xworkmateTaskArtifactContract: { requiresExport: true, required: [{ glob: "*.pdf", minCount: 1 }] } },
		});
		expect((await scene.api.showThread({ threadId: second.threadId })).prompts).toEqual({ [second.turnId]: "  second\n" });
	});

	it("[T4-73] [T4-77] names the current task workspace in the context and in the metadata, and neither in the transcript", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const sent = await scene.sendToGateway("do it");
		await runsBegun(scene, 1);
		const { params } = scene.bridge.calls[0] ?? {};
		expect(params?.workspaceContext).toContain("current task workspace: $XWORKMATE_ARTIFACT_DIRECTORY\n");
		expect(params?.metadata).toMatchObject({ xworkmateTaskArtifactContract: { currentTaskWorkspace: "$XWORKMATE_ARTIFACT_DIRECTORY" } });
		expect(params?.prompt).toBe("do it");
		const shown = JSON.stringify(await scene.api.showThread({ threadId: sent.threadId }));
		expect(shown).not.toContain("XWORKMATE_ARTIFACT_DIRECTORY");
	});

	it("a thread that waits takes no second turn, and no thread waits twice", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		await expect(scene.sendToGateway("third", second.threadId)).rejects.toMatchObject({ code: "THREAD_BUSY" });
		await expect(scene.api.deleteThread({ threadId: second.threadId })).rejects.toMatchObject({ code: "THREAD_BUSY" });
		expect((await scene.api.gatewayQueue()).waiting).toEqual([second]);
	});
});

it("[T4-71] [T4-92] a gateway turn is called for at the bridge's own addresses, and no address of a gateway is kept", async () => {
	await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
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
	await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
	scene.bridge.onRun = (run) => void run.end("completed");
	const threadId = ThreadId.parse("follow-up");
	await scene.end(await scene.sendToGateway("one", threadId));
	await scene.end(await scene.sendToGateway("two", threadId));
	const submits = scene.bridge.calls.filter(({ method }) => method.startsWith("session."));
	expect(submits.map(({ method }) => method)).toEqual(["session.start", "session.message"]);
});

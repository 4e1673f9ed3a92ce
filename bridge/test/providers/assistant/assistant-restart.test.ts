import type { RunId } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import { defaultAssistantLimits } from "../../../src/providers/assistant/turn/assistant-limits.ts";
import { done } from "../../programs/counting-hosts.ts";
import { AssistantScene } from "./assistant-scene.ts";
import { answers, type Play, receiptsIn, runs, says, toldIn, wants } from "./scripted-model.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const DESTROY = "const r = await tools.world.destroy({ id: 7 }); return r.ok ? 'done' : r.error.code";
const tells: Play = (request) => answers({ text: /Returned:\n(.+)/.exec(toldIn(request))?.[1] ?? "nothing" });

/** A request that is never answered, and a promise that it was made. */
function hanging(text = ""): { readonly play: Play; readonly begun: Promise<void> } {
	const { promise: begun, resolve } = Promise.withResolvers<void>();
	const play: Play = (_request, onText) => {
		if (text !== "") onText(text);
		resolve();
		return new Promise(() => undefined);
	};
	return { play, begun };
}

/** Settles once this thought is in the log, and with it everything before it. */
async function thought(scene: AssistantScene, runId: RunId, text: string): Promise<void> {
	await scene.core.until(
		runId,
		({ event }) => event.type === "said" && event.update.kind === "thought_delta" && event.update.text === text,
	);
}

describe("killed when", () => {
	it("a model was asked: it is asked again, and half a reply is dropped", async () => {
		await using scene = await AssistantScene.open();
		const { play, begun } = hanging("I have half a");
		scene.model.will(runs("return 'one'"), play, says("A whole answer."));
		const runId = await scene.run();
		await begun;
		await scene.crash();
		const ended = await scene.core.settled(runId);
		expect([ended.status, ended.message, ended.output?.text]).toEqual(["completed", undefined, "A whole answer."]);
		expect(scene.model.requests).toHaveLength(3);
		expect(scene.model.requests[2]?.messages).toEqual(scene.model.requests[1]?.messages);
	});

	it("the first request was made, and nothing was recorded", async () => {
		await using scene = await AssistantScene.open();
		const { play, begun } = hanging();
		scene.model.will(play, says("Hello."));
		const runId = await scene.run();
		await begun;
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "Hello." } });
	});

	it("[T1-93] requested, undecided: the same request, with the same expiry, and its decision counts", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(runs(DESTROY), tells);
		const runId = await scene.run();
		const approvalId = await scene.asked(runId);
		const before = (await scene.core.service.snapshot(runId)).pendingApprovals;
		await scene.crash();
		expect((await scene.core.service.snapshot(runId)).pendingApprovals).toEqual(before);
		await scene.core.service.decideApproval(approvalId as never, "allow_once", "person");
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "done" } });
		expect(scene.hosts.calls).toHaveLength(1);
		expect(scene.model.requests).toHaveLength(2);
	});

	it("approved, not started: the handler is called once", async () => {
		await using scene = await AssistantScene.open();
		scene.model.will(runs(DESTROY), tells);
		const runId = await scene.run();
		await scene.asked(runId);
		await scene.die();
		await scene.core.load();
		await scene.decide(runId, "allow_once");
		await scene.die();
		await scene.core.start();
		expect(await scene.core.settled(runId)).toMatchObject({ output: { text: "done" } });
		expect(scene.hosts.calls).toHaveLength(1);
	});

	it.each([
		["look", "7 items", 2],
		["ensure", "done", 2],
		["destroy", "OUTCOME_UNKNOWN", 1],
		["make", "OUTCOME_UNKNOWN", 1],
	])("started, tools.world.%s: the program gets %s", async (method, told, times) => {
		await using scene = await AssistantScene.open();
		scene.policy.rules.set(method, "allow");
		const { promise: begun, resolve } = Promise.withResolvers<void>();
		let isFirst = true;
		scene.hosts.handle = () => {
			if (!isFirst) return Promise.resolve(done());
			isFirst = false;
			resolve();
			return new Promise(() => undefined);
		};
		// Of a read, nothing may be said to be done.
		const program = method === "look" ? DESTROY.replace("done", told) : DESTROY;
		scene.model.will(runs(program.replace("destroy", method)), tells);
		const runId = await scene.run();
		await begun;
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ output: { text: told } });
		expect(scene.hosts.calls.map(({ attempt }) => attempt)).toEqual(times === 2 ? [1, 2] : [1]);
		expect(new Set(scene.hosts.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
	});

	it("settled: in a later program, what the earlier ones did is taken from the record, and their files are there again", async () => {
		await using scene = await AssistantScene.open();
		let count = 0;
		scene.hosts.handle = async () => done({ count: ++count });
		scene.model.will(
			runs(
				"await tools.files.write({ path: 'a.txt', text: 'once' }); const r = await tools.world.look({}); return r.ok ? r.value.count : 0",
			),
			wants("find_tools", { query: "look" }),
			runs("const r = await tools.files.read({ path: 'a.txt' }); await tools.world.destroy({}); return r.ok ? r.value.text : r.error.code"),
			tells,
		);
		const runId = await scene.run();
		await scene.asked(runId, "call-4");
		await scene.crash();
		await scene.asked(runId, "call-4");
		await scene.crash();
		await scene.decide(runId, "allow_once", "call-4");
		const ended = await scene.core.settled(runId);
		expect([ended.status, ended.code, ended.message, ended.output?.text]).toEqual(["completed", undefined, undefined, "once"]);
		expect(ended.artifacts.items.map(({ relativePath }) => relativePath)).toEqual(["a.txt"]);
		expect(scene.hosts.calls.map(({ method }) => method)).toEqual(["look", "destroy"]);
		expect(scene.model.requests).toHaveLength(4);
		const calls = (await scene.updates(runId)).flatMap((update) =>
			update.kind === "tool_call" ? [`${update.toolCallId} ${update.state}`] : [],
		);
		expect(new Set(calls).size).toBe(calls.length);
	});

	it("an answer was refused: it still counts as the first, and the second one is replaced", async () => {
		await using scene = await AssistantScene.open();
		const { play } = hanging("Let me think.");
		scene.model.will(says("I have created it."), play, says("I have created it."));
		const runId = await scene.run();
		await thought(scene, runId, "Let me think.");
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ grounding: { state: "replaced" } });
		expect(scene.model.requests).toHaveLength(3);
	});

	it("[T1-97] a refused claim is not true afterwards because of what was done later", async () => {
		await using scene = await AssistantScene.open();
		scene.policy.rules.set("make", "allow");
		const { play, begun } = hanging();
		scene.model.will(says("I have created it."), runs("return (await tools.world.make({})).ok"), play, (request) =>
			answers({ receiptId: receiptsIn(request).at(-1) ?? "" }),
		);
		const runId = await scene.run();
		await begun;
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ output: { text: "make the thing" }, grounding: { state: "grounded" } });
	});

	it("a program that was ended at a limit does nothing more when its files are made again", async () => {
		const program = { ...defaultAssistantLimits.program, timeMs: 1_000 };
		await using scene = await AssistantScene.open({ limits: { program } });
		scene.policy.rules.set("make", "allow");
		scene.hosts.handle = (_call, signal) =>
			new Promise((resolve) => {
				signal.addEventListener("abort", () => resolve({ kind: "failed", code: "STOPPED", message: "stopped" }));
			});
		const { play } = hanging("Let me think.");
		scene.model.will(
			runs(
				"await tools.files.write({ path: 'a.txt', text: 'a' }); await tools.world.look({}); await tools.world.make({ late: true }); return 1",
			),
			play,
			says("It took too long."),
		);
		const runId = await scene.run();
		await thought(scene, runId, "Let me think.");
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", artifacts: { count: 1 } });
		expect(scene.hosts.calls.map(({ method }) => method)).toEqual(["look"]);
	});

	it("parked: the run gives back its place, and goes on with the decision", async () => {
		await using scene = await AssistantScene.open({ parkMs: 20 });
		scene.model.will(runs(DESTROY), tells);
		const runId = await scene.run();
		await scene.asked(runId);
		while (scene.core.parked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		await scene.crash();
		await scene.decide(runId, "deny");
		expect(await scene.core.settled(runId)).toMatchObject({ output: { text: "DENIED" }, grounding: { state: "no_action" } });
		expect(scene.hosts.calls).toEqual([]);
	});

	it("told to stop by SIGTERM while the model is asked: the next bridge goes on", async () => {
		await using scene = await AssistantScene.open();
		const { promise: begun, resolve } = Promise.withResolvers<void>();
		const asked: Play = (_request, _onText, signal) => {
			resolve();
			return new Promise((_done, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
		};
		scene.model.will(asked, says("Hello."));
		const runId = await scene.run();
		await begun;
		await scene.core.coordinator.shutdown();
		expect((await scene.core.service.snapshot(runId)).status).toBe("running");
		await scene.crash();
		expect(await scene.core.settled(runId)).toMatchObject({ status: "completed", output: { text: "Hello." } });
	});

	it("cancelled while parked: over at once, and nothing was called", async () => {
		await using scene = await AssistantScene.open({ parkMs: 20 });
		scene.model.will(runs(DESTROY));
		const runId = await scene.run();
		await scene.asked(runId);
		while (scene.core.parked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		await scene.core.service.cancel(runId);
		expect(await scene.core.settled(runId)).toMatchObject({ status: "cancelled" });
		expect(scene.hosts.calls).toEqual([]);
	});
});

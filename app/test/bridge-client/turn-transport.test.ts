import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TurnTransport } from "../../src/bridge-client/index.ts";
import type { Fault } from "../support/fake-fault.ts";
import type { FakeRun } from "../support/fake-run.ts";
import { fastClient } from "../support/fast-bounds.ts";
import { expectWhole, firstStream, TransportScene } from "../support/transport-scene.ts";
import { until } from "../support/until.ts";

/** A run that is heard of no more, in the middle of its work. */
async function lostAtWork({ bridge, sink, stop, transport }: TransportScene) {
	const accepted = Promise.withResolvers<FakeRun>();
	bridge.onRun = (run) => accepted.resolve(run.text("at work"));
	const ending = transport.run(stop.signal);
	const run = await accepted.promise;
	await until("its words are here", () => sink.lastSeq === run.log.length);
	await bridge.down();
	await until("the loss is told", () => sink.connections.length === 1);
	return { run, ending };
}

describe("a stream that works", () => {
	it("[T4-38] [T4-43] [T4-78] submits to /acp/rpc and receives every update and the terminal snapshot", async () => {
		await using scene = await TransportScene.open();
		expectWhole(scene, await scene.run());
		expect(scene.bridge.calls.map((call) => call.method)).toEqual(["session.start"]);
		expect(scene.sink.connections).toEqual([]);
	});

	it("[T4-78] starts the session anew with the same turnId when the bridge does not know it", async () => {
		await using scene = await TransportScene.open();
		const submission = { method: "session.message", params: scene.sink.params } as const;
		scene.transport = new TurnTransport({ client: scene.client, sink: scene.sink, submission, resumed: false, bounds: fastClient });
		expectWhole(scene, await scene.run());
		expect(scene.bridge.calls.map((call) => [call.method, call.params.turnId])).toEqual([
			["session.message", "turn-1"],
			["session.start", "turn-1"],
		]);
	});

	it("heartbeats keep a silent stream alive beyond the idle bound", async () => {
		await using scene = await TransportScene.open();
		scene.bridge.heartbeatMs = 50;
		scene.bridge.onRun = (run) => void setTimeout(() => run.end("completed"), 1_000);
		expectWhole(scene, await scene.run());
		expect(scene.sink.connections).toEqual([]);
	});

	it("counts the seq of an unknown update kind and shows nothing", async () => {
		await using scene = await TransportScene.open();
		scene.bridge.onRun = (run) => {
			run
				.say({ kind: "hologram" } as never)
				.text("after")
				.end("completed");
		};
		const end = await scene.run();
		expect(end).toMatchObject({ kind: "terminal" });
		expect(scene.sink.lastSeq).toBe(4);
		expect(scene.sink.shown.map(({ seq }) => seq)).toEqual([1, 3, 4]);
	});
});

describe("a stream that drops", () => {
	const faults: readonly Fault[] = [0, 1, 2, 3].flatMap((after) => [
		{ kind: "close", after } as const,
		{ kind: "cut", after } as const,
		{ kind: "stall", after } as const,
	]);

	it.each(faults)("[T4-44] is recovered after a $kind at $after events: nothing lost, nothing doubled", async (fault) => {
		await using scene = await TransportScene.open();
		scene.bridge.fault = firstStream(fault);
		scene.bridge.onRun = (run) => void run.text("one", "two").end("completed", { "a.md": "a" });
		expectWhole(scene, await scene.run());
		expect(scene.sink.connections.map(({ state }) => state)).toEqual(["lost", "restored"]);
		const resumed = scene.bridge.calls.filter((call) => call.method === "xworkmate.tasks.subscribe");
		for (const call of resumed) expect(call.lastEventId).toBe(String(fault.kind === "skip" ? 0 : "after" in fault ? fault.after : 0));
	});

	it.each([
		["", false],
		[", also when a stop was asked for meanwhile", true],
	])("of a run that ended meanwhile is not called well again before that end has been written%s", async (_, cancelRequested) => {
		await using scene = await TransportScene.open({ recoveryMs: 30_000 });
		const { run, ending } = await lostAtWork(scene);
		run.text("and more").end("interrupted", {}, "BRIDGE_RESTARTED");
		scene.sink.cancelRequested = cancelRequested;
		await scene.bridge.listen();
		expect(await ending).toMatchObject({ kind: "terminal", snapshot: { status: "interrupted" } });
		expect(scene.sink.connections.map(({ state }) => state)).toEqual(["lost"]);
		scene.transport.settled();
		expect(scene.sink.connections.map(({ state }) => state)).toEqual(["lost", "restored"]);
	});

	it("is not called well again by what is replayed of before, only by the bridge's word that the run is not over", async () => {
		await using scene = await TransportScene.open({ recoveryMs: 30_000, pollMs: 60_000, backoffMaxMs: 20 });
		const { run, ending } = await lostAtWork(scene);
		run.text("said while nothing was heard");
		scene.bridge.fault = ({ method }) => (method === "xworkmate.tasks.get" ? { kind: "status", status: 503 } : undefined);
		await scene.bridge.listen();
		await until("the replay is here", () => scene.sink.lastSeq === run.log.length);
		await until("it was asked for how it is now", () => scene.bridge.countOf("xworkmate.tasks.get") > 1);
		expect(scene.sink.connections.map(({ state }) => state)).toEqual(["lost"]);
		scene.bridge.fault = () => undefined;
		await until("it is heard of", () => scene.sink.connections.at(-1)?.state === "restored");
		run.end("completed");
		await ending;
	});

	it("a clean close without the final answer is a drop, not an end", async () => {
		await using scene = await TransportScene.open();
		let run: FakeRun | undefined;
		scene.bridge.onRun = (accepted) => {
			run = accepted.text("still at it");
		};
		scene.bridge.fault = firstStream({ kind: "close", after: 2 });
		const ending = scene.run();
		await until("it subscribed after the close", () => scene.bridge.countOf("xworkmate.tasks.subscribe") > 0);
		run?.end("completed");
		expectWhole(scene, await ending);
	});

	it("closes a gap by resubscribing after the last seq without one", async () => {
		await using scene = await TransportScene.open();
		scene.bridge.fault = firstStream({ kind: "skip", seq: 3 });
		scene.bridge.onRun = (run) => void run.text("a", "b", "c").end("completed");
		expectWhole(scene, await scene.run());
		expect(scene.bridge.calls.find((call) => call.method === "xworkmate.tasks.subscribe")?.lastEventId).toBe("2");
	});

	it("takes each update once when they come twice", async () => {
		await using scene = await TransportScene.open();
		scene.bridge.fault = () => ({ kind: "double" });
		scene.bridge.onRun = (run) => void run.text("a", "b").end("completed");
		expectWhole(scene, await scene.run());
	});

	it("[T4-44] [T4-45] [T4-80] [T4-81] polls tasks.get with the handle until a terminal snapshot when streams do not come back", async () => {
		await using scene = await TransportScene.open();
		let run: FakeRun | undefined;
		scene.bridge.onRun = (accepted) => {
			run = accepted;
		};
		scene.bridge.fault = (call, count) => {
			if (call.method === "session.start") return { kind: "close", after: 1 };
			if (call.method !== "xworkmate.tasks.subscribe") return undefined;
			if (count === 5) run?.end("completed");
			return { kind: "status", status: 503 };
		};
		const end = await scene.run();
		expect(end).toEqual({ kind: "terminal", snapshot: run?.snapshot() });
		const polls = scene.bridge.calls.filter((call) => call.method === "xworkmate.tasks.get");
		expect(polls.length).toBeGreaterThanOrEqual(4);
		for (const poll of polls) expect(poll.params).toEqual({ runId: "run-1", artifactScope: run?.snapshot().artifactScope });
		expect(scene.sink.handles.every((handle) => handle.status === "running")).toBe(true);
	});

	it("asks beside a live stream, and takes a terminal snapshot that the stream did not bring, transcript included", async () => {
		await using scene = await TransportScene.open({ pollMs: 20, idleMs: 10_000 });
		scene.bridge.fault = firstStream({ kind: "stall", after: 2 });
		scene.bridge.onRun = (run) => void run.text("a", "b").end("completed");
		expectWhole(scene, await scene.run());
	});

	it("any sequence of faults ends with the same snapshot and every update once", async () => {
		const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
			fc.constant(undefined),
			fc.record({ kind: fc.constantFrom("close" as const, "cut" as const), after: fc.nat(4) }),
			fc.record({ kind: fc.constant("skip" as const), seq: fc.integer({ min: 1, max: 5 }) }),
			fc.constant({ kind: "destroy" } as const),
			fc.constant({ kind: "double" } as const),
			fc.constant({ kind: "status", status: 503 } as const),
			fc.constant({ kind: "body", body: "<html>" } as const),
			fc.record({ kind: fc.constant("error" as const), code: fc.constantFrom("INTERNAL" as const, "DATABASE_DAMAGED" as const) }),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(fault, { maxLength: 8 }), async (faults) => {
				await using scene = await TransportScene.open({ recoveryMs: 10_000 });
				const queue = [...faults];
				scene.bridge.fault = () => queue.shift();
				scene.bridge.onRun = (run) => void run.text("a", "b", "c").end("completed");
				expectWhole(scene, await scene.run());
			}),
			{ numRuns: 40 },
		);
	}, 30_000);
});

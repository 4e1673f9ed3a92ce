import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BridgeClient, type ClientBounds, findBridge, type TurnEnd, TurnTransport } from "../../src/bridge-client/index.ts";
import { FakeBridge, type Fault } from "../support/fake-bridge.ts";
import type { FakeRun } from "../support/fake-run.ts";
import { fastClient } from "../support/fast-bounds.ts";
import { RecordingSink } from "../support/recording-sink.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { until } from "../support/until.ts";

class Scene implements AsyncDisposable {
	readonly home = temporaryHome();
	readonly sink = new RecordingSink();
	readonly stop = new AbortController();
	readonly bridge: FakeBridge;
	readonly client: BridgeClient;
	transport: TurnTransport;

	private constructor(bridge: FakeBridge, home: ReturnType<typeof temporaryHome>, bounds: Partial<ClientBounds>) {
		this.bridge = bridge;
		this.home = home;
		const all = { ...fastClient, ...bounds };
		this.client = new BridgeClient(() => findBridge({ home: home.path }), all);
		const submission = { method: "session.start", params: this.sink.params } as const;
		this.transport = new TurnTransport({ client: this.client, sink: this.sink, submission, resumed: false, bounds: all });
	}

	static async open(bounds: Partial<ClientBounds> = {}): Promise<Scene> {
		const home = temporaryHome();
		return new Scene(await FakeBridge.start(home.path), home, bounds);
	}

	run(): Promise<TurnEnd> {
		return this.transport.run(this.stop.signal);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.stop.abort();
		await this.bridge[Symbol.asyncDispose]();
		this.home[Symbol.dispose]();
	}
}

/** Everything of the run was seen, once, and the end is its snapshot. */
function expectWhole(scene: Scene, end: TurnEnd): void {
	const [run] = scene.bridge.runs;
	expect(end).toEqual({ kind: "terminal", snapshot: run?.snapshot() });
	expect(scene.sink.shown).toEqual(run?.log);
	expect(scene.bridge.runs).toHaveLength(1);
}

const streams = new Set(["session.start", "session.message", "xworkmate.tasks.subscribe"]);

/** A fault for the first stream only. */
function firstStream(fault: Fault): FakeBridge["fault"] {
	let used = false;
	return (call) => {
		if (used || !streams.has(call.method)) return undefined;
		used = true;
		return fault;
	};
}

describe("a stream that works", () => {
	it("[T4-38] [T4-43] [T4-78] submits to /acp/rpc and receives every update and the terminal snapshot", async () => {
		await using scene = await Scene.open();
		expectWhole(scene, await scene.run());
		expect(scene.bridge.calls.map((call) => call.method)).toEqual(["session.start"]);
		expect(scene.sink.connections).toEqual([]);
	});

	it("[T4-78] starts the session anew with the same turnId when the bridge does not know it", async () => {
		await using scene = await Scene.open();
		const submission = { method: "session.message", params: scene.sink.params } as const;
		scene.transport = new TurnTransport({ client: scene.client, sink: scene.sink, submission, resumed: false, bounds: fastClient });
		expectWhole(scene, await scene.run());
		expect(scene.bridge.calls.map((call) => [call.method, call.params.turnId])).toEqual([
			["session.message", "turn-1"],
			["session.start", "turn-1"],
		]);
	});

	it("heartbeats keep a silent stream alive beyond the idle bound", async () => {
		await using scene = await Scene.open();
		scene.bridge.heartbeatMs = 50;
		scene.bridge.onRun = (run) => void setTimeout(() => run.end("completed"), 1_000);
		expectWhole(scene, await scene.run());
		expect(scene.sink.connections).toEqual([]);
	});

	it("counts the seq of an unknown update kind and shows nothing", async () => {
		await using scene = await Scene.open();
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
		await using scene = await Scene.open();
		scene.bridge.fault = firstStream(fault);
		scene.bridge.onRun = (run) => void run.text("one", "two").end("completed", { "a.md": "a" });
		expectWhole(scene, await scene.run());
		expect(scene.sink.connections.map(({ state }) => state)).toEqual(["lost", "restored"]);
		const resumed = scene.bridge.calls.filter((call) => call.method === "xworkmate.tasks.subscribe");
		for (const call of resumed) expect(call.lastEventId).toBe(String(fault.kind === "skip" ? 0 : "after" in fault ? fault.after : 0));
	});

	it("a clean close without the final answer is a drop, not an end", async () => {
		await using scene = await Scene.open();
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
		await using scene = await Scene.open();
		scene.bridge.fault = firstStream({ kind: "skip", seq: 3 });
		scene.bridge.onRun = (run) => void run.text("a", "b", "c").end("completed");
		expectWhole(scene, await scene.run());
		expect(scene.bridge.calls.find((call) => call.method === "xworkmate.tasks.subscribe")?.lastEventId).toBe("2");
	});

	it("takes each update once when they come twice", async () => {
		await using scene = await Scene.open();
		scene.bridge.fault = () => ({ kind: "double" });
		scene.bridge.onRun = (run) => void run.text("a", "b").end("completed");
		expectWhole(scene, await scene.run());
	});

	it("[T4-44] [T4-45] [T4-80] [T4-81] polls tasks.get with the handle until a terminal snapshot when streams do not come back", async () => {
		await using scene = await Scene.open();
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
		await using scene = await Scene.open({ pollMs: 20, idleMs: 10_000 });
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
			fc.constant({ kind: "error", code: "INTERNAL" } as const),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(fault, { maxLength: 8 }), async (faults) => {
				await using scene = await Scene.open({ recoveryMs: 10_000 });
				const queue = [...faults];
				scene.bridge.fault = () => queue.shift();
				scene.bridge.onRun = (run) => void run.text("a", "b", "c").end("completed");
				expectWhole(scene, await scene.run());
			}),
			{ numRuns: 40 },
		);
	}, 30_000);
});

describe("a bridge that does not answer", () => {
	it("is submitted to again, with the same turnId, once it is back", async () => {
		await using scene = await Scene.open({ recoveryMs: 5_000 });
		await scene.bridge.down();
		const ending = scene.run();
		await until("the loss was told", () => scene.sink.connections.length > 0);
		await scene.bridge.listen();
		expectWhole(scene, await ending);
		expect(scene.sink.connections.map(({ state }) => state)).toEqual(["lost", "restored"]);
	});

	it("[T4-58] never reached: nothing was sent, and it says so", async () => {
		await using scene = await Scene.open({ recoveryMs: 60 });
		await scene.bridge.down();
		expect(await scene.run()).toMatchObject({ kind: "refused", resultCode: "ACP_HTTP_CONNECT_FAILED" });
	});

	it.each([
		[{ kind: "status", status: 503 }, "ACP_HTTP_503"],
		[{ kind: "destroy" }, "ACP_HTTP_CONNECTION_CLOSED"],
		[{ kind: "body", body: "{" }, "ACP_HTTP_200"],
	] as const)("[T4-58] [T4-59] [T4-84] %j for longer than the bound: recovery ends with %s", async (fault, code) => {
		await using scene = await Scene.open({ recoveryMs: 80 });
		scene.bridge.onRun = () => undefined;
		scene.bridge.fault = (call) => (call.method === "session.start" ? { kind: "close", after: 1 } : fault);
		expect(await scene.run()).toMatchObject({ kind: "lost", resultCode: code });
	});

	it("a refused token is said at once", async () => {
		await using scene = await Scene.open();
		const client = new BridgeClient(async () => ({ url: new URL(scene.bridge.url), token: "wrong" }), fastClient);
		const submission = { method: "session.start", params: scene.sink.params } as const;
		const transport = new TurnTransport({ client, sink: scene.sink, submission, resumed: false, bounds: fastClient });
		const detail = { code: "UNAUTHENTICATED", message: expect.any(String) };
		expect(await transport.run(scene.stop.signal)).toEqual({ kind: "refused", resultCode: "ACP_HTTP_401", detail });
	});

	it("an unknown status is acted on in no way: it asks again", async () => {
		await using scene = await Scene.open({ recoveryMs: 5_000 });
		let run: FakeRun | undefined;
		scene.bridge.onRun = (accepted) => {
			run = accepted;
		};
		scene.bridge.fault = (call, count) => {
			if (call.method === "session.start") return { kind: "close", after: 1 };
			if (call.method === "xworkmate.tasks.subscribe") return { kind: "status", status: 500 };
			if (count > 3) return undefined;
			if (count === 3) run?.end("failed", {}, "NO_OUTPUT");
			return { kind: "body", body: JSON.stringify({ jsonrpc: "2.0", id: "x", result: { ...run?.snapshot(), status: "levitating" } }) };
		};
		expect(await scene.run()).toMatchObject({ kind: "terminal", snapshot: { status: "failed" } });
		expect(scene.sink.handles.map(({ status }) => status)).not.toContain("levitating");
	});

	it.each(["PROVIDER_NOT_FOUND", "QUEUE_FULL", "TURN_CONFLICT", "ROUTING_REQUIRED"] as const)(
		"a refusal with %s is an end, not a loss",
		async (code) => {
			await using scene = await Scene.open();
			scene.bridge.fault = () => ({ kind: "error", code });
			expect(await scene.run()).toMatchObject({ kind: "refused", resultCode: "failed", detail: { code } });
		},
	);

	it("another run's events are never taken for this one's", async () => {
		await using scene = await Scene.open({ recoveryMs: 100 });
		scene.bridge.onRun = (run) => {
			const [first] = run.log;
			if (first !== undefined) run.log[0] = { ...first, turnId: "turn-of-another" as never };
		};
		expect(await scene.run()).toMatchObject({ kind: "lost" });
		expect(scene.sink.seen).toEqual([]);
	});
});

describe("a cancel", () => {
	it("[T4-60] of a running turn is sent; the snapshot says what became of it", async () => {
		await using scene = await Scene.open();
		scene.bridge.onRun = () => undefined;
		const ending = scene.run();
		await until("the run is known", () => scene.sink.runId !== undefined);
		scene.sink.cancelRequested = true;
		expect(await scene.transport.cancel()).toBe(true);
		expect(await ending).toMatchObject({ kind: "terminal", snapshot: { status: "cancelled" } });
	});

	it("before the bridge was reached leaves nothing behind", async () => {
		await using scene = await Scene.open({ recoveryMs: 5_000 });
		await scene.bridge.down();
		const ending = scene.run();
		await until("the loss was told", () => scene.sink.connections.length > 0);
		scene.sink.cancelRequested = true;
		expect(await scene.transport.cancel()).toBe(false);
		expect(await ending).toEqual({ kind: "unsent" });
	});

	it("while the bridge is away is sent when it is back", async () => {
		await using scene = await Scene.open({ recoveryMs: 5_000 });
		scene.bridge.onRun = () => undefined;
		const ending = scene.run();
		await until("the run is known", () => scene.sink.runId !== undefined);
		await scene.bridge.down();
		await until("the loss was told", () => scene.sink.connections.length > 0);
		scene.sink.cancelRequested = true;
		expect(await scene.transport.cancel()).toBe(false);
		await scene.bridge.listen();
		expect(await ending).toMatchObject({ kind: "terminal", snapshot: { status: "cancelled" } });
	});

	it("of a submit that was cut off asks the bridge before it calls the turn unsent", async () => {
		await using scene = await Scene.open();
		scene.bridge.fault = (call) => (call.method === "session.start" ? { kind: "stall", after: 0 } : undefined);
		scene.bridge.onRun = () => undefined;
		const ending = scene.run();
		await until("the submit came", () => scene.bridge.runs.length > 0);
		scene.sink.cancelRequested = true;
		await scene.transport.cancel();
		expect(await ending).toMatchObject({ kind: "terminal", snapshot: { status: "cancelled" } });
	});
});

it("stops when the app closes, and leaves the turn as it is", async () => {
	await using scene = await Scene.open();
	scene.bridge.onRun = () => undefined;
	const ending = scene.run();
	await until("the run is known", () => scene.sink.runId !== undefined);
	scene.stop.abort();
	expect(await ending).toEqual({ kind: "stopped" });
});

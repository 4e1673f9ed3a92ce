import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { BridgeClient, findBridge, TurnTransport } from "../../src/bridge-client/index.ts";
import type { FakeRun } from "../support/fake-run.ts";
import { fastClient } from "../support/fast-bounds.ts";
import { expectWhole, TransportScene } from "../support/transport-scene.ts";
import { until } from "../support/until.ts";

describe("a bridge that does not answer", () => {
	it("is submitted to again, with the same turnId, once it is back", async () => {
		await using scene = await TransportScene.open({ recoveryMs: 5_000 });
		await scene.bridge.down();
		const ending = scene.run();
		await until("the loss was told", () => scene.sink.connections.length > 0);
		await scene.bridge.listen();
		expectWhole(scene, await ending);
		expect(scene.sink.connections.map(({ state }) => state)).toEqual(["lost", "restored"]);
	});

	it("[T4-58] never reached: nothing was sent, and it says so", async () => {
		await using scene = await TransportScene.open({ recoveryMs: 60 });
		await scene.bridge.down();
		expect(await scene.run()).toMatchObject({ kind: "refused", resultCode: "ACP_HTTP_CONNECT_FAILED" });
	});

	it.each([
		[{ kind: "status", status: 503 }, "ACP_HTTP_503"],
		[{ kind: "destroy" }, "ACP_HTTP_CONNECTION_CLOSED"],
		[{ kind: "body", body: "{" }, "ACP_HTTP_200"],
	] as const)("[T4-58] [T4-59] [T4-84] %j for longer than the bound: recovery ends with %s", async (fault, code) => {
		await using scene = await TransportScene.open({ recoveryMs: 80 });
		scene.bridge.onRun = () => undefined;
		scene.bridge.fault = (call) => (call.method === "session.start" ? { kind: "close", after: 1 } : fault);
		expect(await scene.run()).toMatchObject({ kind: "lost", resultCode: code });
	});

	it.each(["before its answer", "within its answer"])(
		"a call that gets no answer in time says so, not that the bridge closed it: silent %s",
		async (when) => {
			const server = createServer((_request, response) => {
				if (when === "within its answer") response.writeHead(200, { "content-type": "application/json" }).write("{");
			});
			server.listen(0, "127.0.0.1");
			await once(server, "listening");
			try {
				const { port } = server.address() as AddressInfo;
				const client = new BridgeClient(async () => ({ url: new URL(`http://127.0.0.1:${port}`), token: "t" }), {
					...fastClient,
					callMs: 50,
				});
				await expect(client.call("xworkmate.tasks.list", {})).rejects.toMatchObject({
					code: "ACP_HTTP_CONNECTION_CLOSED",
					message: "The bridge did not respond in time.",
				});
			} finally {
				server.closeAllConnections();
				server.close();
			}
		},
	);

	it("a refused token is said at once", async () => {
		await using scene = await TransportScene.open();
		const client = new BridgeClient(async () => ({ url: new URL(scene.bridge.url), token: "wrong" }), fastClient);
		const submission = { method: "session.start", params: scene.sink.params } as const;
		const transport = new TurnTransport({ client, sink: scene.sink, submission, resumed: false, bounds: fastClient });
		const detail = { code: "UNAUTHENTICATED", message: expect.any(String) };
		expect(await transport.run(scene.stop.signal)).toEqual({ kind: "refused", resultCode: "ACP_HTTP_401", detail });
	});

	it("an address that can never be called ends the turn at once, before a run", async () => {
		await using scene = await TransportScene.open({ recoveryMs: 600_000 });
		const client = new BridgeClient(
			() => findBridge({ home: scene.home.path, bridgeUrl: "http://192.0.2.1:8787", token: "t" }),
			fastClient,
		);
		const submission = { method: "session.start", params: scene.sink.params } as const;
		const transport = new TurnTransport({ client, sink: scene.sink, submission, resumed: false, bounds: fastClient });
		const detail = { code: "BRIDGE_URL_REFUSED", fix: expect.any(String) };
		expect(await transport.run(scene.stop.signal)).toMatchObject({ kind: "refused", resultCode: "ACP_HTTP_CONNECT_FAILED", detail });
	});

	it("an unknown status is acted on in no way: it asks again", async () => {
		await using scene = await TransportScene.open({ recoveryMs: 5_000 });
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
			await using scene = await TransportScene.open();
			scene.bridge.fault = () => ({ kind: "error", code });
			expect(await scene.run()).toMatchObject({ kind: "refused", resultCode: "failed", detail: { code } });
		},
	);

	it("another run's events are never taken for this one's", async () => {
		await using scene = await TransportScene.open({ recoveryMs: 100 });
		scene.bridge.onRun = (run) => {
			const [first] = run.log;
			if (first !== undefined) run.log[0] = { ...first, turnId: "turn-of-another" as never };
		};
		expect(await scene.run()).toMatchObject({ kind: "lost" });
		expect(scene.sink.seen).toEqual([]);
	});
});

describe("a cancel", () => {
	it("[T4-60] of a running turn is sent; the snapshot says what happened to it", async () => {
		await using scene = await TransportScene.open();
		scene.bridge.onRun = () => undefined;
		const ending = scene.run();
		await until("the run is known", () => scene.sink.runId !== undefined);
		scene.sink.cancelRequested = true;
		expect(await scene.transport.cancel()).toBe(true);
		expect(await ending).toMatchObject({ kind: "terminal", snapshot: { status: "cancelled" } });
	});

	it("before the bridge was reached leaves nothing behind", async () => {
		await using scene = await TransportScene.open({ recoveryMs: 5_000 });
		await scene.bridge.down();
		const ending = scene.run();
		await until("the loss was told", () => scene.sink.connections.length > 0);
		scene.sink.cancelRequested = true;
		expect(await scene.transport.cancel()).toBe(false);
		expect(await ending).toEqual({ kind: "unsent" });
	});

	it("while the bridge is away is sent when it is back", async () => {
		await using scene = await TransportScene.open({ recoveryMs: 5_000 });
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
		await using scene = await TransportScene.open();
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
	await using scene = await TransportScene.open();
	scene.bridge.onRun = () => undefined;
	const ending = scene.run();
	await until("the run is known", () => scene.sink.runId !== undefined);
	scene.stop.abort();
	expect(await ending).toEqual({ kind: "stopped" });
});

import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../../src/api/app-api.ts";
import { gatewayScene, runOf, runsBegun, threadOf } from "../support/gateway-scene.ts";
import { until } from "../support/until.ts";

describe("a queue that is paused", () => {
	const paused = (events: readonly TurnEvent[]) =>
		events.flatMap((event) => (event.type === "gatewayQueue" && event.paused ? [event.paused] : []));

	it("while the bridge cannot be reached, and says so; it goes on when the bridge is back", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 }, { client: { recoveryMs: 10_000 } });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		const watching = scene.events(second);
		await until("the first was accepted", async () => (await threadOf(scene, first)).turns[0]?.runId !== undefined);
		await scene.bridge.down();
		await until("it is paused", async () => (await scene.api.showThread({ threadId: second.threadId })).gatewayQueue?.paused !== undefined);
		expect(await threadOf(scene, second)).toMatchObject({ lifecycleStatus: "queued" });
		runOf(scene, first).end("completed");
		await scene.bridge.listen();
		await runsBegun(scene, 2);
		runOf(scene, second).end("completed");
		const [pause] = paused(await watching);
		expect(pause?.code).toMatch(/^ACP_HTTP_CONNECT/);
		expect(await scene.end(first)).toMatchObject({ turn: { status: "completed" } });
		expect(await scene.end(second)).toMatchObject({ turn: { status: "completed" } });
	});

	it("while the gateway cannot be used, in the bridge's words; no turn is sent to be refused", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		await until("the bridge has named its bounds", async () => (await scene.api.gatewayQueue()).limits.maxQueued === 5);
		await runsBegun(scene, 1);
		const unavailable = { code: "GATEWAY_TOKEN_WRONG", message: "the gateway does not accept the token", fix: "Set the token." };
		scene.bridge.gateway = { available: false, unavailable };
		runOf(scene, first).end("failed", {}, "OPENCLAW_AGENT_ERROR");
		await until("it is paused", async () => (await scene.api.gatewayQueue()).paused !== undefined);
		expect((await scene.api.showThread({ threadId: second.threadId })).gatewayQueue).toEqual({
			position: 1,
			length: 1,
			paused: unavailable,
		});
		await scene.restart();
		await until("it is paused again", async () => (await scene.api.gatewayQueue()).paused !== undefined);
		expect(scene.submitted).toEqual(["first"]);
		scene.bridge.gateway = { available: true };
		await runsBegun(scene, 2);
		expect((await scene.api.gatewayQueue()).paused).toBeUndefined();
		runOf(scene, second).end("completed");
		expect(await scene.end(second)).toMatchObject({ turn: { status: "completed" } });
	});

	it("says so, and that it is over, also while a run holds the slot", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const first = await scene.sendToGateway("first");
		const second = await scene.sendToGateway("second");
		await until("the bridge has named its bounds", async () => (await scene.api.gatewayQueue()).limits.maxQueued === 5);
		await scene.api.cancelTurn(second);
		const third = await scene.sendToGateway("third");
		const place = async () => (await scene.api.showThread({ threadId: third.threadId })).gatewayQueue;
		const unavailable = { code: "GATEWAY_UNREACHABLE", message: "it is away", fix: "Start it." };
		scene.bridge.gateway = { available: false, unavailable };
		await until("it is said", async () => (await place())?.paused?.code === "GATEWAY_UNREACHABLE");
		expect(await threadOf(scene, first)).toMatchObject({ lifecycleStatus: "running" });
		scene.bridge.gateway = { available: true };
		await until("it is over", async () => (await place())?.paused === undefined);
		expect(await place()).toEqual({ position: 1, length: 1 });
		expect(scene.submitted).toEqual(["first"]);
	});

	const needsPerson = { code: "GATEWAY_TOKEN_WRONG", message: "the token is wrong", fix: "Set the token." };

	it("a turn for an idle queue is refused in the gateway's words when a person has to act first, and kept", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		scene.bridge.gateway = { available: false, unavailable: needsPerson };
		const { turn, thread } = await scene.end(await scene.sendToGateway("first"));
		const detail = { code: "GATEWAY_UNAVAILABLE", message: "The token is wrong.", fix: "Set the token." };
		expect(turn).toMatchObject({ status: "refused", resultDetail: detail });
		expect(thread).toMatchObject({ lifecycleStatus: "ready" });
		expect((await scene.api.gatewayQueue()).active).toEqual([]);
	});

	it("a turn for an idle queue waits while the gateway is only away, first in line, and may be given up", async () => {
		await using scene = await gatewayScene({ maxActive: 1, maxQueued: 5 });
		const unavailable = { code: "GATEWAY_UNREACHABLE", message: "it is away", fix: "Start it." };
		scene.bridge.gateway = { available: false, unavailable };
		const first = await scene.sendToGateway("first");
		const watching = scene.events(first);
		await until("it waits", async () => (await threadOf(scene, first)).lifecycleStatus === "queued");
		const second = await scene.sendToGateway("second");
		const third = await scene.sendToGateway("third");
		await until("all wait", async () => (await scene.api.gatewayQueue()).waiting.length === 3);
		expect((await scene.api.showThread({ threadId: first.threadId })).gatewayQueue).toEqual({
			position: 1,
			length: 3,
			paused: unavailable,
		});
		await scene.api.cancelTurn(second);
		await scene.restart();
		expect(scene.bridge.runs).toEqual([]);
		scene.bridge.onRun = (run) => void run.end("completed");
		scene.bridge.gateway = { available: true };
		for (const each of [first, third]) expect(await scene.end(each)).toMatchObject({ turn: { status: "completed" } });
		expect(scene.bridge.runs.map(({ turnId }) => turnId)).toEqual([first.turnId, third.turnId]);
		expect(paused(await watching)[0]).toEqual(unavailable);
	});
});

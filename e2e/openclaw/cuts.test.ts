import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, it } from "vitest";
import { breakableProxy } from "../support/breakable-proxy.ts";
import type { BridgeProcess } from "../support/bridge-process.ts";
import { type CutHow, cutHows, cuttingProxy } from "../support/cutting-proxy.ts";
import type { EventStream } from "../support/event-stream.ts";
import { gatewaySettings, gatewayTurn, startGatewayBridge, suiteGateway } from "../support/openclaw-suite.ts";
import { sha256Of } from "../support/served-artifacts.ts";
import { type FollowedRun, settle } from "../support/settle.ts";

const IDLE_MS = 4_000;
const scope = "$XWORKMATE_ARTIFACT_DIRECTORY";
const write = `for n in 1 2 3 4 5 6 7 8 9; do printf $n > ${scope}/$n.txt; done`;
const prompt = `FAKE:RUN ${write} ;; RUN sleep 0.4 ;; SAY all nine are written`;
const files = Array.from({ length: 9 }, (_, n) => ({ relativePath: `${n + 1}.txt`, sha256: sha256Of(`${n + 1}`) }));
const whole = { status: "completed", success: true, output: { text: "all nine are written" }, artifacts: { count: 9, items: files } };

let bridge: BridgeProcess;

beforeAll(async () => {
	bridge = await startGatewayBridge({ env: { XWORKMATE_HEARTBEAT_MS: "300" } });
});
afterAll(() => bridge[Symbol.asyncDispose]());

describe.concurrent("a stream between bridge and app that is cut", () => {
	async function settleThroughCut(afterEvents: number, how: CutHow): Promise<FollowedRun & { readonly cuts: number }> {
		await using proxy = await cuttingProxy(bridge.port);
		proxy.mode = { kind: "cut", afterEvents, how };
		const onDrop = () => {
			proxy.mode = { kind: "pass" };
		};
		const followed = await settle(bridge.client(proxy.port), gatewayTurn(prompt), { idleMs: IDLE_MS, onDrop });
		return { ...followed, cuts: proxy.cuts };
	}

	// The first update is the run's, the second or third its running handle, the last ones the collection's.
	it.for([1, 2, 3, 4, 6, 9, 12, 15].map((after, index) => [after, cutHows[index % cutHows.length] ?? "destroy"] as const))(
		"[T4-44] [T4-45] [T4-79] after event %i: %s",
		async ([after, how], { expect }) => {
			const { snapshot, cuts } = await settleThroughCut(after, how);
			expect(snapshot).toMatchObject(whole);
			if (snapshot.lastSeq > after) expect(cuts).toBe(1);
		},
	);

	it.for(["collecting", "exporting", "sealing"])("[T4-81] while it is %s", async (stage, { expect }) => {
		const client = bridge.client();
		const params = gatewayTurn(prompt);
		const stream = await client.stream("session.start", params);
		// A stage may pass within one step of the run: the cut then comes right after it.
		await Promise.race([stream.untilStage(stage), stream.ended]);
		stream.close();
		const { snapshot } = await settle(client, params);
		expect(snapshot).toMatchObject(whole);
	});
});

describe.concurrent("a connection between bridge and gateway that is", () => {
	const moments: Record<string, (stream: EventStream) => Promise<unknown>> = {
		"at the handle": (stream) => stream.until("running", ({ status }) => status === "running"),
		"at a tool call": (stream) => stream.until("a tool call", ({ update }) => update.kind === "tool_call"),
		"at the answer": (stream) => stream.until("words", ({ update }) => update.kind === "message_delta"),
		"at the collection": (stream) => stream.untilStage("collecting"),
	};

	it.for([
		["reset", "at the handle", 0],
		["reset", "at a tool call", 1_500],
		["reset", "at the answer", 0],
		["reset", "at the collection", 300],
		["stall", "at a tool call", 3_000],
		["stall", "at the collection", 2_000],
		["blackhole", "at a tool call", 1_000],
		["blackhole", "at the collection", 1_000],
	] as const)("%s %s for %i ms", async ([mode, moment, ms], { expect }) => {
		await using proxy = await breakableProxy(suiteGateway().place.port);
		await using own = await startGatewayBridge({ env: gatewaySettings(suiteGateway(), proxy.port) });
		const { snapshot } = await settle(own.client(), gatewayTurn(prompt), {
			during: async (stream) => {
				await Promise.race([moments[moment]?.(stream), stream.ended]);
				proxy.mode = mode;
				await delay(ms);
				proxy.mode = "pass";
			},
		});
		expect(snapshot).toMatchObject(whole);
	});
});

import { setTimeout as delay } from "node:timers/promises";
import { describe, it } from "vitest";
import { settle } from "../support/bridge/settle.ts";
import { type BreakMode, breakableProxy } from "../support/machine/breakable-proxy.ts";
import { type CutHow, cuttingProxy } from "../support/machine/cutting-proxy.ts";
import { gatewaySettings, gatewayTurn, startGatewayBridge, suiteGateway, TURN_BOUND_MS } from "../support/openclaw/openclaw-suite.ts";
import type { EventStream } from "../support/wire/event-stream.ts";
import { sha256Of } from "../support/wire/served-artifacts.ts";

const scope = "$XWORKMATE_ARTIFACT_DIRECTORY";
const write = `for n in 1 2 3 4 5 6 7 8 9; do printf $n > ${scope}/$n.txt; done`;
const prompt = `FAKE:RUN ${write} ;; RUN sleep 0.4 ;; SAY all nine are written`;
const files = Array.from({ length: 9 }, (_, n) => ({ relativePath: `${n + 1}.txt`, sha256: sha256Of(`${n + 1}`) }));
const whole = { status: "completed", success: true, output: { text: "all nine are written" }, artifacts: { count: 9, items: files } };

describe.concurrent("a stream between bridge and app", () => {
	it("[T4-44] [T4-45] [T4-79] [T4-81] is cut after every event: before, at and after the handle, at every stage of the collection", async ({
		expect,
	}) => {
		await using bridge = await startGatewayBridge({ env: { XWORKMATE_HEARTBEAT_MS: "300" } });
		const hows: readonly CutHow[] = ["destroy", "reset", "half-close-down", "mid-event"];
		const runs = hows.map(async (how) => {
			await using proxy = await cuttingProxy(bridge.port);
			proxy.mode = { kind: "cut", afterEvents: 1, how };
			const { snapshot } = await settle(bridge.client(proxy.port), gatewayTurn(prompt), { attempts: 200 });
			expect(snapshot, how).toMatchObject(whole);
			expect(proxy.cuts, how).toBeGreaterThan(5);
		});
		await Promise.all(runs);
	});

	it("[T4-44] is silent from the handle on", async ({ expect }) => {
		await using bridge = await startGatewayBridge({ env: { XWORKMATE_HEARTBEAT_MS: "300" } });
		await using proxy = await cuttingProxy(bridge.port);
		proxy.mode = { kind: "cut", afterEvents: 2, how: "stall" };
		const onDrop = () => {
			proxy.mode = { kind: "pass" };
		};
		const { snapshot } = await settle(bridge.client(proxy.port), gatewayTurn(prompt), { idleMs: 4_000, onDrop });
		expect(snapshot).toMatchObject(whole);
		expect(proxy.cuts).toBe(1);
	});
});

describe.concurrent("a connection between bridge and gateway", () => {
	const moments: readonly ((stream: EventStream) => Promise<unknown>)[] = [
		(stream) => stream.until("the handle", ({ status }) => status === "running", TURN_BOUND_MS),
		(stream) => stream.until("a tool call", ({ update }) => update.kind === "tool_call", TURN_BOUND_MS),
		(stream) => stream.until("words", ({ update }) => update.kind === "message_delta", TURN_BOUND_MS),
		(stream) => stream.untilStage("collecting", TURN_BOUND_MS),
		(stream) => stream.untilStage("exporting", TURN_BOUND_MS),
	];

	/** Breaks the connection at each of these moments of one run, for so long. */
	it.for([
		["reset", [0, 1, 2, 3, 4], 200],
		["stall", [1, 3], 2_500],
		// An open connection stays silent indefinitely; only the bridge's own timeout detects it.
		["blackhole", [1], 500],
	] as const satisfies readonly (readonly [BreakMode, readonly number[], number])[])(
		"is broken within a run: %s",
		async ([mode, breaks, ms], { expect }) => {
			await using proxy = await breakableProxy(suiteGateway().place.port);
			await using bridge = await startGatewayBridge({ env: gatewaySettings(suiteGateway(), proxy.port) });
			const { snapshot } = await settle(bridge.client(), gatewayTurn(prompt), {
				during: async (stream) => {
					for (const moment of breaks) {
						await Promise.race([moments[moment]?.(stream), stream.ended]);
						proxy.mode = mode;
						await delay(ms);
						proxy.mode = "pass";
					}
				},
			});
			expect(snapshot).toMatchObject(whole);
			expect(proxy.connections).toBeGreaterThan(mode === "stall" ? 0 : 1);
		},
	);
});

import { env } from "node:process";
import { expect, it } from "vitest";
import { appKillRoundsAtGateway, bridgeKillRounds, gatewayKillRounds } from "../support/openclaw/openclaw-kill-rounds.ts";
import { gatewaySettings, ownGateway, startGatewayBridge, suiteGateway } from "../support/openclaw/openclaw-suite.ts";

const rounds = Number(env.XWORKMATE_TEST_KILLS ?? "3");
const boundMs = 120_000 + rounds * 120_000;
/** More rounds than every day's are for moments not seen before. */
const seed = rounds === 3 ? 20_261_122 : Date.now() % 1_000_000;

it(
	"[T4-18] [T4-81] ends every run whole after kill -9 of the bridge",
	async () => {
		await using bridge = await startGatewayBridge();
		const { ends, kills } = await bridgeKillRounds(bridge, seed, rounds);
		console.log(`seed ${seed}, kills of the bridge after ${kills.join(", ")} ms: ${ends.join(", ")}`);
		expect(new Set(ends)).toEqual(new Set(["completed"]));
	},
	boundMs,
);

it(
	"[T4-18] [T4-81] [T4-84] ends every run whole or as lost after kill -9 of the gateway",
	async () => {
		await using gateway = await ownGateway();
		await using bridge = await startGatewayBridge({ env: gatewaySettings(gateway) });
		const { ends, kills } = await gatewayKillRounds(bridge, gateway, seed, rounds);
		console.log(`seed ${seed}, kills of the gateway after ${kills.join(", ")} ms: ${ends.join(", ")}`);
		expect(new Set(ends)).toEqual(new Set(["completed", "interrupted GATEWAY_LOST"]));
	},
	boundMs,
);

it(
	"[T4-18] [T4-59] [T4-86] takes every thread up again after kill -9 of the app",
	async () => {
		const kills = await appKillRoundsAtGateway(suiteGateway(), seed, rounds);
		console.log(`seed ${seed}, kills of the app after ${kills.join(", ")} ms`);
	},
	boundMs,
);

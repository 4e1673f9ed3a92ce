import { it } from "vitest";
import { startBridge } from "../support/bridge/bridge-process.ts";
import { killRounds } from "../support/bridge/kill-rounds.ts";
import { killTurns } from "../support/bridge/kill-turns.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";

/** Of each bridge: over fifty in all. */
const ROUNDS = 13;

// Four bridges at once: a round waits most of its time.
it.concurrent.for([1, 2, 3, 4])(
	"[T4-81] ends every run with a named reason over thirteen kills, bridge %i of four",
	{ timeout: 900_000 },
	async (which, { expect }) => {
		await using bridge = await startBridge({ providers: [unrulyAgent()], env: { XWORKMATE_MAX_ACTIVE_RUNS: "16" } });
		const seed = which * 1_000_000 + (Date.now() % 1_000_000);
		const report = await killRounds(bridge, { seed, rounds: ROUNDS, spreadMs: 1_200, turns: killTurns });
		expect(report.runs).toBe(ROUNDS * killTurns().length);
		expect(report.kills.filter((kill) => kill.endsWith("reached")).length, report.kills.join("; ")).toBeGreaterThanOrEqual(3);
	},
);

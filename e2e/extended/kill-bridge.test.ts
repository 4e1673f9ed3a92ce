import { expect, it } from "vitest";
import { startBridge } from "../support/bridge-process.ts";
import { killRounds } from "../support/kill-rounds.ts";
import { killTurns } from "../support/kill-turns.ts";
import { unrulyAgent } from "../support/providers.ts";

it("[T4-81] ends every run with a named reason over fifty kills", async () => {
	await using bridge = await startBridge({ providers: [unrulyAgent()], env: { XWORKMATE_MAX_ACTIVE_RUNS: "16" } });
	const report = await killRounds(bridge, { seed: Date.now() % 1_000_000, rounds: 50, spreadMs: 1_200, turns: killTurns });
	expect(report.runs).toBe(50 * killTurns().length);
	expect(report.kills.filter((kill) => kill.endsWith("reached")).length, report.kills.join("; ")).toBeGreaterThanOrEqual(10);
}, 900_000);

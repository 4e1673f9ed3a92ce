import { expect, it } from "vitest";
import { startBridge } from "../../support/bridge/bridge-process.ts";
import { killRounds } from "../../support/bridge/kill-rounds.ts";
import { killTurns } from "../../support/bridge/kill-turns.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";

/** The extended run has fifty more. */
const ROUNDS = 5;

it("[T4-81] ends every run with a named reason after kill -9 at any moment", async () => {
	await using bridge = await startBridge({ providers: [unrulyAgent()], env: { XWORKMATE_MAX_ACTIVE_RUNS: "16" } });
	const report = await killRounds(bridge, { seed: 20_261_121, rounds: ROUNDS, spreadMs: 900, turns: killTurns });
	expect(report.runs).toBe(ROUNDS * killTurns().length);
	const reached = report.kills.filter((kill) => kill.endsWith("reached")).length;
	expect(reached, report.kills.join("; ")).toBeGreaterThanOrEqual(2);
	// By the time a stage is reached, turns that take seconds have begun. At a random moment, a busy machine may have begun none.
	expect(report.statuses.get("interrupted BRIDGE_RESTARTED")).toBeGreaterThanOrEqual(reached);
}, 180_000);

import { it } from "vitest";
import { startBridge } from "../support/bridge/bridge-process.ts";
import { killPrograms, programKillEnv } from "../support/bridge/program-kills.ts";

/** Of each bridge: 500 in all. */
const KILLS = 100;

// Five bridges at once: a kill waits a good part of its time.
it.concurrent.for([1, 2, 3, 4, 5])(
	"no effect twice and none lost over a hundred kills at random moments, bridge %i of five",
	{ timeout: 900_000 },
	async (which, { expect }) => {
		await using bridge = await startBridge({ env: programKillEnv });
		const report = await killPrograms(bridge, { seed: which * 1_000_000 + (Date.now() % 1_000_000), kills: KILLS, spreadMs: 120 });
		const ends = [...report.ends];
		expect(ends.filter(([end]) => end.includes("unknown")).length, JSON.stringify(ends)).toBeGreaterThan(0);
	},
);

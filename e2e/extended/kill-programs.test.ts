import { it } from "vitest";
import { startBridge } from "../support/bridge/bridge-process.ts";
import { killPrograms, programKillEnv } from "../support/bridge/program-kills.ts";

/** Of each bridge. */
const KILLS = 15;

// One bridge after the other: each start has a compiler, a sandbox and a tool host of its own, so several at once keep a small machine busy.
it.for([1, 2, 3])(
	"no effect twice and none lost over fifteen kills at random moments, bridge %i of three",
	{ timeout: 900_000 },
	async (which, { expect }) => {
		await using bridge = await startBridge({ env: programKillEnv });
		const report = await killPrograms(bridge, { seed: which * 1_000_000 + (Date.now() % 1_000_000), kills: KILLS, spreadMs: 120 });
		const ends = [...report.ends];
		expect(ends.filter(([end]) => end.includes("unknown")).length, JSON.stringify(ends)).toBeGreaterThan(0);
	},
);

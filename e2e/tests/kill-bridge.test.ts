import { expect, it } from "vitest";
import { startBridge } from "../support/bridge-process.ts";
import { killRounds } from "../support/kill-rounds.ts";
import { sayLines, waitFor, writeMany, writeReport } from "../support/scripts.ts";
import { turn } from "../support/turn.ts";

const script = (prompt: string) => turn({ prompt, providerId: "script" });

it("[T4-81] ends every run with a named reason after kill -9 at any moment", async () => {
	await using bridge = await startBridge({ env: { XWORKMATE_HEARTBEAT_MS: "200" } });
	const report = await killRounds(bridge, {
		seed: 20_261_121,
		rounds: 8,
		spreadMs: 900,
		turns: () => [
			script(writeMany(120, 20_000)),
			script(writeReport),
			script(sayLines(20, 30)),
			script(waitFor(400)),
			script(waitFor(5_000)),
		],
	});
	expect(report.runs).toBe(40);
	expect(report.statuses["interrupted BRIDGE_RESTARTED"]).toBeGreaterThanOrEqual(8);
	expect(report.kills.filter((kill) => kill.endsWith("reached")).length).toBeGreaterThanOrEqual(2);
});

import { expect, it } from "vitest";
import { startBridge } from "../../support/bridge/bridge-process.ts";
import { killPrograms, programKillEnv } from "../../support/bridge/program-kills.ts";

/** The extended run has more. */
const KILLS = 20;

it("no effect twice and none lost over twenty kills at random moments", { timeout: 240_000 }, async () => {
	await using bridge = await startBridge({ env: programKillEnv });
	const seed = Date.now() % 1_000_000_000;
	const started = performance.now();
	const report = await killPrograms(bridge, { seed, kills: KILLS, spreadMs: 120 });
	console.log(`seed ${seed}: ${report.runs} programs, ${Math.round(performance.now() - started)} ms, ${JSON.stringify([...report.ends])}`);
	expect(report.decidedAtStart).toBeGreaterThan(0);
	expect([...report.ends].reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(30);
});

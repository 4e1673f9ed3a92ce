import { expect, it, vi } from "vitest";
import { executedIn } from "../store/count-statements.ts";
import { CountingHosts } from "./counting-hosts.ts";
import { ProgramScene } from "./program-scene.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const READS = 20;
const world = () => new CountingHosts({ look: { risk: "read" }, destroy: { risk: "destructive" } });
const thread = (run: number) => ({ sessionId: `s${run}`, threadId: `s${run}` });
const reads = (count: number) => `for (let at = 0; at < ${count}; at++) await tools.world.look({ at });`;

it("an allowed read costs one commit, before its handler is called: its outcome is written with what follows", async () => {
	// However slow the machine is, nothing is written because time has passed.
	await using scene = await ProgramScene.open({ hosts: world(), limits: { gatherMs: 600_000 } });
	const costOf = async (turn: string, count: number) => {
		const executed = await executedIn(async () => {
			expect((await scene.core.settled(await scene.run(`${reads(count)} return "done"`, turn))).status).toBe("completed");
		});
		return Map.groupBy(executed, ({ sql }) => sql.split(" ").slice(0, 3).join(" "));
	};
	await costOf("warm", 1);
	const one = await costOf("one", 1);
	const many = await costOf("many", 1 + READS);
	const added = [...many].map(([sql, all]) => [sql, all.length - (one.get(sql)?.length ?? 0)] as const).filter(([, count]) => count !== 0);
	expect(Object.fromEntries(added)).toEqual({
		"BEGIN IMMEDIATE": READS,
		COMMIT: READS,
		// Three receipts, and two updates of what is shown.
		"INSERT INTO event": 5 * READS,
		"INSERT INTO receipt": 3 * READS,
		// Began, started, settled, delivered.
		"INSERT INTO run_step": 4 * READS,
		"UPDATE run_state SET": READS,
	});
});

it("parked runs keep no process: only the one that is ready for the next program is left", async () => {
	await using scene = await ProgramScene.open({ hosts: world(), parkMs: 1 });
	for (let run = 1; run <= 4; run++) await scene.run("await tools.world.destroy({}); return 1", `t${run}`, thread(run));
	await scene.parked(4);
	await vi.waitFor(() => expect(scene.programs.length).toBeLessThanOrEqual(1), { timeout: 20_000 });
});

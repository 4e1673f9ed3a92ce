import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import type { TemporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { Inspector, inspectable } from "../profile/inspector.ts";
import type { Result } from "../result.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { lagDuring, lagResult } from "./loop-lag.ts";

/** The bridge begins to expire files some seconds after its start. */
const WATCHED_MS = 20_000;

/**
 * The event loop while the stored files of very many runs are too old. Must be the last measurement in a home, because it changes the home.
 */
export async function benchRetention({ home, count }: { readonly home: TemporaryHome; readonly count: number }): Promise<Result> {
	// Flushes what made the home, because the bridge's first checkpoint would otherwise wait for it.
	spawnSync("sync");
	await using bridge = await startBridge({ home, env: { XWORKMATE_LOG_LEVEL: "warn", XWORKMATE_KEEP_MS: "1", ...inspectable } });
	endWithBench(bridge.pid);
	using inspector = await Inspector.attach(bridge);
	const lag = await lagDuring(inspector, () => delay(WATCHED_MS));
	hasEnded(bridge.pid);
	if (expiredRuns(home) === 0) throw new Error("nothing has expired");
	return lagResult(`event loop while the files of ${count} runs expire`, lag, 20);
}

function expiredRuns(home: TemporaryHome): number {
	const db = new DatabaseSync(join(home.xworkmate, "bridge", "bridge.sqlite"), { readOnly: true });
	const row = db.prepare("SELECT count(*) AS expired FROM run_bytes WHERE expired <> 0").get();
	db.close();
	return Number(row?.expired);
}

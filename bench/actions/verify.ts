import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { chained, emptyChain, Receipt, type RunId, Verification } from "@xworkmate/contracts";
import { z } from "zod";
import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { waitUntil } from "../../e2e/support/machine/wait-until.ts";
import { Inspector, inspectable } from "../profile/inspector.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { growRuns } from "../scale/grow-runs.ts";
import { lagDuring, lagResult } from "../scale/loop-lag.ts";
import { endWithBench, hasEnded } from "../scratch.ts";

/** A run of twenty calls that its agent reported. */
const script = Array.from({ length: 20 }, (_, index) => `TOOL call ${index}`).join(" ;; ");
const RECEIPTS = 60;
const SEALED_BOUND_MS = 300_000;
const LONGEST_BLOCK_MS = 20;
const Took = z.object({ ms: z.number() });

/** The check of all receipts of a home, and how it holds up everything else. */
export async function benchVerify(quick: boolean): Promise<readonly Result[]> {
	const runs = quick ? 170 : 1_700;
	await using home = await temporaryHome();
	await growRuns(home, runs, script);
	const database = chainReceipts(home);
	await using bridge = await startBridge({ home, env: { XWORKMATE_LOG_LEVEL: "warn", ...inspectable } });
	endWithBench(bridge.pid);
	await using reader = await Program.start("./hash-receipts.ts");
	using inspector = await Inspector.attach(bridge);
	// The first start seals what was copied.
	const verify = async () => Verification.parse(await bridge.client().rpc("xworkmate.receipts.verify"));
	await waitUntil("the ledger to seal all runs", SEALED_BOUND_MS, async () => ((await verify()).ok ? true : undefined));
	const measures = {
		hash: async () => Took.parse(await reader.ask({ database })).ms,
		verify: async () => {
			const from = performance.now();
			const { ok, receipts } = await verify();
			if (!ok || receipts !== (runs + 1) * RECEIPTS) throw new Error(`of ${receipts} receipts, not all were found whole`);
			return performance.now() - from;
		},
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 5, measures);
	const lag = await lagDuring(inspector, async () => void (await measures.verify()));
	hasEnded(bridge.pid);
	return [
		compare(samples, {
			name: `receipts verify of ${(runs + 1) * RECEIPTS} receipts`,
			unit: "ms",
			against: "reading, parsing and hashing their rows",
			baseline: "hash",
			measured: "verify",
			aim: { atMost: 2 },
		}),
		lagResult("event loop during receipts verify", lag, LONGEST_BLOCK_MS),
	];
}

/** Gives each copied run the chain that it would have. Returns the database's path. */
function chainReceipts(home: TemporaryHome): string {
	const path = join(home.xworkmate, "bridge", "bridge.sqlite");
	const db = new DatabaseSync(path);
	const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
	for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`);
	const rows = db.prepare(`SELECT run.run_id AS runId, event.run AS run, event.seq AS seq, event.body AS body
		FROM receipt JOIN run ON run.id = receipt.run JOIN event ON event.run = receipt.run AND event.seq = receipt.seq ORDER BY receipt.run, receipt.n`);
	const update = db.prepare("UPDATE event SET body = ? WHERE run = ? AND seq = ?");
	let of = "";
	let head = emptyChain("" as RunId);
	db.exec("PRAGMA synchronous = OFF; BEGIN");
	for (const { runId, run, seq, body } of rows.all()) {
		if (runId !== of) head = emptyChain(String(runId) as RunId);
		of = String(runId);
		const event = z.looseObject({ receipt: Receipt }).parse(JSON.parse(String(body)));
		const { receiptId: _id, runId: _run, n: _n, at, prevHash: _prev, hash: _hash, ...draft } = event.receipt;
		const receipt = chained(of as RunId, head, at, draft);
		head = { count: receipt.n, hash: receipt.hash };
		update.run(JSON.stringify({ ...event, receipt }), Number(run), Number(seq));
	}
	for (const { sql } of triggers) db.exec(String(sql));
	db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
	db.close();
	return path;
}

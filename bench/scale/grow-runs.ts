import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../e2e/support/bridge/providers.ts";
import type { TemporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { turn } from "../../e2e/support/wire/turn.ts";
import { agentId } from "../bench-bridge.ts";

/** Threads over which the runs are spread. */
const THREADS = 1_000;
const SCRIPT = "SAY a sentence as an answer ;; WRITE report.md # A report";

export interface GrownRuns {
	/** Thread, turn and run of the run with this number, counted from 1. */
	idsOf(n: number): { readonly threadId: string; readonly turnId: string; readonly runId: string };
}

/**
 * Gives a home as many finished runs as years of use would: one real run of a real bridge, copied in the database with ids of its own. No
 * bridge may be running there.
 */
export async function growRuns(home: TemporaryHome, count: number, script = SCRIPT): Promise<GrownRuns> {
	const real = await runOnce(home, script);
	const db = new DatabaseSync(join(home.xworkmate, "bridge", "bridge.sqlite"));
	db.exec("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -262144; BEGIN");
	copyRun(db, real, count);
	db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
	db.close();
	return { idsOf: (n) => ({ threadId: `grown-${n % THREADS}`, turnId: `grown-turn-${n}`, runId: `grown-run-${n}` }) };
}

interface RealRun {
	readonly threadId: string;
	readonly turnId: string;
	readonly runId: string;
}

async function runOnce(home: TemporaryHome, script: string): Promise<RealRun> {
	await using bridge = await startBridge({ home, providers: [unrulyAgent(agentId)] });
	const params = turn({ prompt: `UNRULY:${script}`, providerId: agentId });
	const end = await (await bridge.client().stream("session.start", params)).ended;
	if (end.kind !== "response") throw new Error(`the run to copy ended with ${JSON.stringify(end)}`);
	return { threadId: params.threadId, turnId: params.turnId, runId: end.snapshot.runId };
}

/** Copies every row that belongs to the run. Meanwhile the database has no triggers and indexes, which is many times faster. */
function copyRun(db: DatabaseSync, real: RealRun, count: number): void {
	const rules = select(db, "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL");
	for (const { type, name } of rules) db.exec(`DROP ${type} "${name}"`);
	const [row] = select(db, `SELECT id FROM run WHERE run_id = '${real.runId}'`);
	const run = Number(row?.id);
	for (const { name } of select(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")) {
		copyRows(db, String(name), run, real, count);
	}
	for (const { sql } of rules) db.exec(String(sql));
	// The trigger that maintains this sum was dropped while the rows were copied.
	db.exec("UPDATE bytes_kept SET total = (SELECT coalesce(sum(total_bytes), 0) FROM run_bytes WHERE expired = 0)");
}

function copyRows(db: DatabaseSync, table: string, run: number, { threadId, turnId, runId }: RealRun, count: number): void {
	const columns = select(db, `PRAGMA table_info("${table}")`).map(({ name, type }) => ({ name: String(name), type: String(type) }));
	const key = table === "run" ? "id" : columns.find(({ name }) => name === "run")?.name;
	if (key === undefined) return;
	const copied = columns.filter(({ name }) => name !== "id" || table === "run");
	const renamed = (column: string) =>
		`replace(replace(replace(r."${column}", '${runId}', 'grown-run-' || nth), '${turnId}', 'grown-turn-' || nth), '${threadId}', 'grown-' || (nth % ${THREADS}))`;
	const values = copied.map(({ name, type }) => (name === key ? `${run} + nth` : type === "TEXT" ? renamed(name) : `r."${name}"`));
	const names = copied.map(({ name }) => `"${name}"`).join(", ");
	db.exec(`WITH RECURSIVE numbers (nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM numbers WHERE nth < ${count}),
		r AS MATERIALIZED (SELECT * FROM "${table}" WHERE "${key}" = ${run})
		INSERT INTO "${table}" (${names}) SELECT ${values.join(", ")} FROM numbers CROSS JOIN r`);
}

function select(db: DatabaseSync, sql: string): readonly Record<string, unknown>[] {
	return db.prepare(sql).all();
}

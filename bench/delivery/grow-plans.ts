import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import type { TemporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { PlanDesk } from "../../e2e/support/plans/plan-desk.ts";

const WEEKS_MS = 40 * 24 * 60 * 60_000;
const TABLES = ["plan", "plan_event", "plan_state"];

/**
 * Gives a home plans that wait for their time, weeks from now: one that a real bridge made, copied in the database with ids of its own. No
 * bridge may be running there.
 */
export async function growPlans(home: TemporaryHome, count: number): Promise<void> {
	const real = await makeOne(home);
	const db = new DatabaseSync(join(home.xworkmate, "bridge", "bridge.sqlite"));
	db.exec("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -262144; BEGIN");
	const rules = rowsOf(db, "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL");
	for (const { type, name } of rules) db.exec(`DROP ${type} "${name}"`);
	for (const table of TABLES) copyRows(db, table, real, count - 1);
	for (const { sql } of rules) db.exec(String(sql));
	db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
	db.close();
}

interface RealPlan {
	readonly planId: string;
	readonly threadId: string;
	readonly requestId: string;
}

async function makeOne(home: TemporaryHome): Promise<RealPlan> {
	await using bridge = await startBridge({ home });
	const requestId = randomUUID();
	const scheduledFor = new Date(Date.now() + WEEKS_MS).toISOString();
	const delivery = [{ channel: "dashboard", content: "Call mom" }];
	const { planId, threadId } = await new PlanDesk(bridge.client()).create({ requestId, type: "scheduled", scheduledFor, delivery });
	return { planId, threadId, requestId };
}

function copyRows(db: DatabaseSync, table: string, { planId, threadId, requestId }: RealPlan, count: number): void {
	const key = table === "plan" ? "id" : "plan";
	const columns = rowsOf(db, `PRAGMA table_info("${table}")`)
		.map(({ name, type }) => ({ name: String(name), type: String(type) }))
		.filter(({ name }) => name !== "feed_seq");
	const own = (column: string) =>
		`replace(replace(replace(r."${column}", '${planId}', 'plan-grown-' || nth), '${threadId}', 'plan-thread-' || nth), '${requestId}', 'grown-' || nth)`;
	const values = columns.map(({ name, type }) => (name === key ? `r."${key}" + nth` : type === "TEXT" ? own(name) : `r."${name}"`));
	const names = columns.map(({ name }) => `"${name}"`).join(", ");
	db.exec(`WITH RECURSIVE numbers (nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM numbers WHERE nth < ${count}),
		r AS MATERIALIZED (SELECT * FROM "${table}")
		INSERT INTO "${table}" (${names}) SELECT ${values.join(", ")} FROM numbers CROSS JOIN r`);
}

function rowsOf(db: DatabaseSync, sql: string): readonly Record<string, unknown>[] {
	return db.prepare(sql).all();
}

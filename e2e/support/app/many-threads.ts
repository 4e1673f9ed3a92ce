import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { writeReport } from "../bridge/scripts.ts";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { runCommand } from "./command.ts";

/** One thread with a file, and copies of it until there are `count`, as years of use leave them. Nothing else runs in the home. */
export async function manyThreads(home: TemporaryHome, count: number): Promise<void> {
	const { code, stderr } = await runCommand(home, ["run", "--provider", "script", writeReport]);
	if (code !== 0) throw new Error(`the first thread ended with ${code}: ${stderr}`);
	const db = new DatabaseSync(join(home.xworkmate, "app", "app.sqlite"));
	db.exec(`PRAGMA foreign_keys = OFF; BEGIN`);
	for (const [table, own] of [
		["threads", { thread_id: "'copy-' || n.i", title: "'Thread ' || n.i" }],
		["turns", { thread: "n.i", turn_id: "'copy-' || n.i" }],
	] as const) {
		const values = new Map<unknown, string>([["id", "n.i"], ...Object.entries(own)]);
		const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
		const selected = columns.map(({ name }) => values.get(name) ?? `${table}.${name}`);
		db.exec(`WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
			INSERT INTO ${table} SELECT ${selected.join(", ")} FROM ${table}, n WHERE ${table}.id = 1`);
	}
	db.exec("COMMIT");
	db.close();
}

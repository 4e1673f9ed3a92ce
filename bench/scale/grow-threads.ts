import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TemporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { writeThreadHistory } from "../thread-history.ts";

/** Writes threads as from years of use: each with a turn, which is then copied in the database with ids of its own. */
export function growThreads(home: TemporaryHome, threads: number, turns: number): void {
	writeThreadHistory(home, threads);
	using db = openAppDatabase(home);
	const columns = db
		.prepare("PRAGMA table_info(turns)")
		.all()
		.map(({ name }) => String(name));
	const copied = columns.filter((name) => name !== "id");
	const values = copied.map((name) => (name === "turn_id" || name === "run_id" ? `t.${name} || '-' || n` : `t.${name}`));
	db.exec(`PRAGMA synchronous = OFF; BEGIN;
		CREATE TEMP TABLE first AS SELECT * FROM turns;
		WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${turns})
		INSERT INTO turns (${copied.join(", ")}) SELECT ${values.join(", ")} FROM numbers CROSS JOIN first AS t;
		-- What the list shows of a thread is counted again when the app is opened.
		DELETE FROM listed_turns;
		COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`);
}

/** The database of an app that is not running. */
export function openAppDatabase(home: TemporaryHome): DatabaseSync {
	return new DatabaseSync(join(home.xworkmate, "app", "app.sqlite"));
}

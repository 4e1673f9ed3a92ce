import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** About as large as an event of a call. */
const body = "x".repeat(500);

/** A database with one table, as durable as the bridge's. */
export async function bareCommits() {
	const folder = await mkdtemp(join(tmpdir(), "bare commits-"));
	const db = new DatabaseSync(join(folder, "bare.sqlite"));
	db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
	const insert = db.prepare("INSERT INTO row (body) VALUES (?)");
	return {
		/** One commit. */
		commit(rows: number): void {
			db.exec("BEGIN");
			for (let row = 0; row < rows; row++) insert.run(body);
			db.exec("COMMIT");
		},
		async [Symbol.asyncDispose]() {
			db.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

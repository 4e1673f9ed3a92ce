import type Database from "better-sqlite3";
import { z } from "zod";

const Names = z.array(z.string());
/** FTS5's large tables, and how many of their rows one step deletes, in a few milliseconds. Its other tables are dropped at once. */
const ROWS: Readonly<Record<string, number>> = { search_index_data: 32, search_index_docsize: 2_048 };

/**
 * The search index of an earlier version (`search_index`). Dropping it at once takes seconds in a large home, because its pages contain
 * users' text and are therefore overwritten.
 */
export class TrigramIndex {
	readonly #db: Database.Database;
	#isDropped = false;

	constructor(db: Database.Database) {
		this.#db = db;
	}

	/** Drops the next part, in the caller's transaction; returns false if there was nothing left to drop. */
	drop(): boolean {
		if (this.#isDropped) return false;
		const names = Names.parse(
			this.#db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'search_index*' ORDER BY name").pluck().all(),
		);
		if (names[0] === "search_index") this.#detach();
		else if (names[0] !== undefined) this.#dropRows(names[0]);
		this.#isDropped = names.length === 0;
		return !this.#isDropped;
	}

	/**
	 * Removes only the virtual table, which leaves ordinary tables. While the virtual table exists, FTS5 does not allow their rows to be
	 * deleted, and a check of the database would report an index that has lost some of its rows as damaged.
	 */
	#detach(): void {
		this.#db.unsafeMode(true);
		try {
			this.#db.pragma("writable_schema = ON");
			this.#db.exec("DELETE FROM sqlite_schema WHERE name = 'search_index'");
			this.#db.pragma("writable_schema = RESET");
		} finally {
			this.#db.unsafeMode(false);
		}
	}

	#dropRows(table: string): void {
		const rows = ROWS[table];
		const isEmptied =
			rows === undefined ||
			this.#db.prepare(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT ${rows})`).run().changes < rows;
		if (isEmptied) this.#db.exec(`DROP TABLE ${table}`);
	}
}

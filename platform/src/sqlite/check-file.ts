import Database from "better-sqlite3";

// Run in a separate process by `checkDatabase` and by the bridge: the check of a large file takes minutes, and in a worker thread it
// could not be stopped. Prints "ok" or the first problem. Each table is checked in its own read transaction, so that the write-ahead log
// can be checkpointed in between.
const [path = ""] = process.argv.slice(2);
process.stdout.write(check());

function check(): string {
	const db = new Database(path, { readonly: true, fileMustExist: true });
	try {
		const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").pluck().all();
		for (const name of ["sqlite_schema", ...tables.map(String)]) {
			const result = String(db.pragma(`quick_check("${name}")`, { simple: true }));
			if (result !== "ok") return result;
		}
		return "ok";
	} catch (error) {
		// The file is too damaged to be checked, for example at its beginning.
		if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return error.message;
		throw error;
	} finally {
		db.close();
	}
}

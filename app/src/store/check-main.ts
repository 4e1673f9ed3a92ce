import { errorMessage } from "@xworkmate/platform/errors";
import Database from "better-sqlite3";

// Checks a database and prints the first problem. It is a program of its own, because a check of gigabytes cannot be stopped in a thread.
// Each table has a reading of its own, so that the write-ahead log can be taken over in between.
const [path = ""] = process.argv.slice(2);
const db = new Database(path, { readonly: true, fileMustExist: true });
try {
	const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").pluck().all();
	const results = tables.map((name) => String(db.pragma(`quick_check("${String(name)}")`, { simple: true })));
	process.stdout.write(results.find((result) => result !== "ok") ?? "");
} catch (error) {
	if (!(error instanceof Database.SqliteError && error.code.startsWith("SQLITE_CORRUPT"))) throw error;
	process.stdout.write(errorMessage(error));
} finally {
	db.close();
}

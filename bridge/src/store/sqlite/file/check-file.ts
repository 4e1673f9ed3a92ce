import Database from "better-sqlite3";

// Run by bridge/src/database-check.ts in a process of its own: the check of a large file takes minutes.
const [path = ""] = process.argv.slice(2);
process.stdout.write(check());

function check(): string {
	const db = new Database(path, { readonly: true, fileMustExist: true });
	try {
		return String(db.pragma("quick_check(1)", { simple: true }));
	} catch (error) {
		// Damage at the beginning of the file.
		if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return error.message;
		throw error;
	} finally {
		db.close();
	}
}

import Database from "better-sqlite3";

/** A statement that was executed, in one line, and how many rows it gave or changed. */
export interface Executed {
	readonly sql: string;
	readonly rows: number;
}

type Method = "run" | "get" | "all";

/** The statements that `work` executes on any database of this process, in order. */
export async function executedIn(work: () => Promise<unknown>): Promise<readonly Executed[]> {
	const executed: Executed[] = [];
	using db = closing(new Database(":memory:"));
	const statement: Record<Method, (...values: unknown[]) => unknown> = Object.getPrototypeOf(db.prepare("SELECT 1"));
	const methods = (["run", "get", "all"] as const).map((name) => ({ name, original: statement[name] }));
	for (const { name, original } of methods) {
		statement[name] = function (this: Database.Statement, ...values) {
			const result = original.apply(this, values);
			executed.push({ sql: oneLine(this.source), rows: rowsOf(result) });
			return result;
		};
	}
	try {
		await work();
	} finally {
		for (const { name, original } of methods) statement[name] = original;
	}
	return executed;
}

/** Every statement that `work` prepares, once. */
export async function preparedIn(work: () => Promise<unknown>): Promise<readonly string[]> {
	const sources = new Set<string>();
	const original = Database.prototype.prepare;
	Database.prototype.prepare = function (this: Database.Database, source: string) {
		sources.add(oneLine(source));
		return original.call(this, source);
	} as typeof original;
	try {
		await work();
	} finally {
		Database.prototype.prepare = original;
	}
	return [...sources];
}

function oneLine(sql: string): string {
	return sql.replaceAll(/\s+/g, " ").trim();
}

function rowsOf(result: unknown): number {
	if (Array.isArray(result)) return result.length;
	if (typeof result === "object" && result !== null && "changes" in result) return Number(result.changes);
	return result === undefined ? 0 : 1;
}

function closing(db: Database.Database): Database.Database & Disposable {
	return Object.assign(db, { [Symbol.dispose]: () => void db.close() });
}

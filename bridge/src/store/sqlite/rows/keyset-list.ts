import type { Database, Statement } from "better-sqlite3";
import { type CursorBinding, decodeCursor, encodeCursor } from "./cursor.ts";

interface KeysetListOptions<Name extends string> {
	/** Distinguishes this list's cursors from those of others. */
	readonly kind: string;
	readonly table: string;
	/** Integer column by which rows are ordered; the newest row has the highest value. */
	readonly key: string;
	readonly body: string;
	/** An SQL condition that applies to every query. */
	readonly always: string;
	/** An SQL condition for each optional filter, which may use the parameter of the same name. */
	readonly filters: Readonly<Record<Name, string>>;
}

interface KeysetQuery<Name extends string> {
	readonly filter: { readonly [K in Name]?: string | undefined };
	readonly limit: number;
	readonly cursor: string | undefined;
}

interface KeysetRow {
	readonly key: number;
	readonly body: string;
}

/** Bodies of one page, newest first. */
export interface KeysetPage {
	readonly bodies: readonly string[];
	readonly nextCursor?: string;
}

const AFTER_ALL = Number.MAX_SAFE_INTEGER;

/**
 * A list that is paged by position, not by offset, so that rows added or removed between pages neither repeat nor hide others. There is one
 * statement for each combination of filters, prepared once.
 */
export function createKeysetList<Name extends string>(
	db: Database,
	options: KeysetListOptions<Name>,
): (query: KeysetQuery<Name>) => KeysetPage {
	const names = Object.keys(options.filters) as Name[];
	const statements = new Map<string, Statement<[Record<string, string | number>], KeysetRow>>();

	const statementFor = (present: readonly Name[]) => {
		const id = present.join();
		const statement = statements.get(id) ?? db.prepare<[Record<string, string | number>], KeysetRow>(selection(options, present));
		statements.set(id, statement);
		return statement;
	};

	return ({ filter, limit, cursor }) => {
		const binding: CursorBinding = [options.kind, ...names.map((name) => filter[name] ?? null)];
		const before = cursor === undefined ? AFTER_ALL : decodeCursor(binding, cursor);
		const parameters: Record<string, string | number> = { before, count: limit + 1 };
		const present = names.filter((name) => filter[name] !== undefined);
		for (const name of present) parameters[name] = filter[name] ?? "";
		return toPage(statementFor(present).all(parameters), limit, binding);
	};
}

function selection<Name extends string>(options: KeysetListOptions<Name>, present: readonly Name[]): string {
	const conditions = [options.always, ...present.map((name) => options.filters[name]), `${options.key} < @before`];
	return `SELECT ${options.key} AS key, ${options.body} AS body FROM ${options.table}
		WHERE ${conditions.join(" AND ")} ORDER BY ${options.key} DESC LIMIT @count`;
}

// The query reads one extra row, which shows whether there is a next page.
function toPage(rows: readonly KeysetRow[], limit: number, binding: CursorBinding): KeysetPage {
	const shown = rows.slice(0, limit);
	const bodies = shown.map((row) => row.body);
	const last = shown.at(-1);
	return rows.length > limit && last !== undefined ? { bodies, nextCursor: encodeCursor(binding, last.key) } : { bodies };
}

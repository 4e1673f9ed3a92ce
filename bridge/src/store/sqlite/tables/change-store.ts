import type { Approval, Change, ChangeCursor, ChangePage, TaskSummary } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ChangeStore } from "../../../ports/runs/change-store.ts";
import { SHOWN } from "../rows/shown.ts";
import { decodeRecord } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";

interface ChangeRow {
	readonly id: number;
	readonly summary: string;
	/** Null if the run itself changed. */
	readonly approval: string | null;
}

/** Reads changes, each run and each approval in its current state. */
export function createChangeStore(db: Database): ChangeStore {
	const name = db.prepare<[], { name: string }>("SELECT name FROM change_log").get()?.name ?? "";
	const last = db.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'change'");
	const changes = db.prepare<[number, number], ChangeRow>(
		`SELECT change.id AS id, run_state.summary AS summary, approval.body AS approval FROM change
		JOIN run_state ON run_state.run = change.run LEFT JOIN approval ON approval.id = change.approval
		WHERE change.id > ? AND run_state.${SHOWN} ORDER BY change.id LIMIT ?`,
	);
	const cursorAt = (id: number): ChangeCursor => `${name}-${id}`;

	/** The position of a cursor; undefined if it belongs to another log, or to a copy of this log with more changes. */
	const idOf = (cursor: ChangeCursor): number | undefined => {
		const id = Number(cursor.split("-")[1]);
		return cursor === cursorAt(id) && id <= (last.get()?.seq ?? 0) ? id : undefined;
	};

	const read = (after: ChangeCursor | undefined, limit: number): ChangePage => {
		const known = after === undefined ? 0 : idOf(after);
		const begin = known ?? 0;
		const rows = changes.all(begin, limit);
		const items = rows.map((row) => ({ cursor: cursorAt(row.id), change: decode(row) }));
		const resync = { cursor: cursorAt(0), change: { kind: "resync" } } as const;
		return { items: known === undefined ? [resync, ...items] : items, cursor: cursorAt(rows.at(-1)?.id ?? begin) };
	};
	return { read: (after, limit) => answer(db.name, () => read(after, limit)) };
}

function decode({ summary, approval }: ChangeRow): Change {
	if (approval !== null) return { kind: "approval", approval: decodeRecord<Approval>(approval) };
	return { kind: "run", run: decodeRecord<TaskSummary>(summary) };
}

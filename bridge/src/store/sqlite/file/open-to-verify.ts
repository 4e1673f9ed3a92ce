import { join } from "node:path";
import type { Artifact, PlanId, PlanStatus, RunId, RunStatus, Snapshot } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import type { LoggedEvent } from "../../../ports/runs/run-event.ts";
import { SHOWN } from "../rows/shown.ts";
import { decodeRecord, type RecordRow } from "../rows/stored-json.ts";
import { DATABASE_FILE } from "./bridge-database.ts";
import { storeMigrations } from "./migrations.ts";

/** The log of a run or of a plan. `row`: the integer key of the run or the plan. */
export interface StoredLog<Id> {
	readonly row: number;
	readonly id: Id;
}

/** An event as it is stored, with its body not yet decoded. */
export interface StoredEvent<Status> extends RecordRow {
	readonly seq: number;
	readonly at: LoggedEvent["at"];
	readonly status: Status;
}

/** What the tables next to a log say about its end. */
export interface StoredEnd<Status> {
	readonly status: Status;
	readonly lastSeq: number;
}

export interface RunEnd extends StoredEnd<RunStatus> {
	/** What the sealed snapshot says about the run's files. null: not sealed. */
	readonly sealed: Pick<Snapshot["artifacts"], "count" | "digest"> | null;
	/** True: the run's files should still be in the artifact store. */
	readonly isKept: boolean;
}

/**
 * Reads a bridge's database while another process may be writing to it. Reads logs and lists in pages, so that no read transaction lasts
 * long enough to hold up that process.
 */
export interface StoreToVerify extends Disposable {
	/** An upper bound for the number of run logs. */
	countRuns(): number;
	/** The size of all files that are kept. */
	keptBytes(): number;
	runsAfter(row: number, limit: number): readonly StoredLog<RunId>[];
	eventsOf(row: number, afterSeq: number, limit: number): readonly StoredEvent<RunStatus>[];
	/** Undefined: the run has been deleted, or is being deleted. */
	runEnd(row: number): RunEnd | undefined;
	filesOf(row: number, afterPath: string, limit: number): readonly Artifact[];
	plansAfter(row: number, limit: number): readonly StoredLog<PlanId>[];
	planEventsOf(row: number, afterSeq: number, limit: number): readonly StoredEvent<PlanStatus>[];
	planEnd(row: number): StoredEnd<PlanStatus> | undefined;
}

/**
 * Opens a bridge's database for reading. Undefined if it has the schema of another version.
 * @throws SqliteError if it cannot be read
 */
export function openToVerify(bridgeHome: string): StoreToVerify | undefined {
	const db = new Database(join(bridgeHome, DATABASE_FILE), { readonly: true, fileMustExist: true });
	try {
		if (db.pragma("user_version", { simple: true }) === storeMigrations.length) return reader(db);
		db.close();
		return undefined;
	} catch (error) {
		db.close();
		throw error;
	}
}

interface RunEndRow extends StoredEnd<RunStatus> {
	readonly count: number | null;
	readonly digest: string | null;
	readonly isKept: number;
}

function reader(db: Database.Database): StoreToVerify {
	const sql = {
		countRuns: db.prepare<[], number>("SELECT count(*) FROM run_state").pluck(),
		keptBytes: db.prepare<[], number>("SELECT total FROM bytes_kept").pluck(),
		runs: db.prepare<[number, number], StoredLog<RunId>>(
			`SELECT run.id AS row, run_id AS id FROM run JOIN run_state ON run_state.run = run.id
			WHERE run.id > ? AND run_state.${SHOWN} ORDER BY run.id LIMIT ?`,
		),
		events: db.prepare<[number, number, number], StoredEvent<RunStatus>>(
			"SELECT seq, at, status, body FROM event WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?",
		),
		runEnd: db.prepare<[number], RunEndRow>(
			`SELECT status, json_extract(summary, '$.lastSeq') AS lastSeq,
				json_extract(snapshot, '$.artifacts.count') AS count, json_extract(snapshot, '$.artifacts.digest') AS digest,
				coalesce((SELECT expired = 0 FROM run_bytes WHERE run_bytes.run = run_state.run), 1) AS isKept
			FROM run_state LEFT JOIN sealed ON sealed.run = run_state.run WHERE run_state.run = ? AND ${SHOWN}`,
		),
		files: db.prepare<[number, string, number], RecordRow>("SELECT body FROM artifact WHERE run = ? AND path > ? ORDER BY path LIMIT ?"),
		plans: db.prepare<[number, number], StoredLog<PlanId>>(
			"SELECT id AS row, plan_id AS id FROM plan WHERE plan.id > ? ORDER BY plan.id LIMIT ?",
		),
		planEvents: db.prepare<[number, number, number], StoredEvent<PlanStatus>>(
			"SELECT seq, at, status, body FROM plan_event WHERE plan = ? AND seq > ? ORDER BY seq LIMIT ?",
		),
		planEnd: db.prepare<[number], StoredEnd<PlanStatus>>(
			"SELECT status, json_extract(body, '$.lastSeq') AS lastSeq FROM plan_state WHERE plan = ?",
		),
	};
	return {
		countRuns: () => sql.countRuns.get() ?? 0,
		keptBytes: () => sql.keptBytes.get() ?? 0,
		runsAfter: (row, limit) => sql.runs.all(row, limit),
		eventsOf: (row, afterSeq, limit) => sql.events.all(row, afterSeq, limit),
		runEnd: (row) => {
			const found = sql.runEnd.get(row);
			if (found === undefined) return undefined;
			const { count, digest, isKept, ...end } = found;
			return { ...end, sealed: count === null || digest === null ? null : { count, digest }, isKept: isKept === 1 };
		},
		filesOf: (row, afterPath, limit) => sql.files.all(row, afterPath, limit).map(({ body }) => decodeRecord<Artifact>(body)),
		plansAfter: (row, limit) => sql.plans.all(row, limit),
		planEventsOf: (row, afterSeq, limit) => sql.planEvents.all(row, afterSeq, limit),
		planEnd: (row) => sql.planEnd.get(row),
		[Symbol.dispose]: () => void db.close(),
	};
}

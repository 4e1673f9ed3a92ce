import type { RunId, Timestamp } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import { StoreError } from "../../store-error.ts";

/** A sealed run whose files are still in the bridge's store. */
export interface KeptBytes {
	readonly runId: RunId;
	readonly endedAt: Timestamp;
	readonly totalBytes: number;
}

export interface Retention {
	kept(): readonly KeptBytes[];
	markExpired(runId: RunId): void;
	isExpired(runId: RunId): boolean;
}

/** Remembers which sealed runs still have their bytes; runs without any bytes are never among them. */
export function createRetention(db: Database): Retention {
	const ofRun = "run = (SELECT run.id FROM run WHERE run_id = ?)";
	const kept = db.prepare<[], KeptBytes>(
		`SELECT run.run_id AS runId, ended_at AS endedAt, total_bytes AS totalBytes
		FROM run_bytes JOIN run ON run.id = run_bytes.run WHERE expired = 0 AND total_bytes > 0 ORDER BY ended_at, run`,
	);
	const mark = db.prepare<[string]>(`UPDATE run_bytes SET expired = 1 WHERE ${ofRun}`);
	const isExpired = db.prepare<[string], { expired: number }>(`SELECT expired FROM run_bytes WHERE ${ofRun}`);
	return {
		kept: () => kept.all(),
		markExpired: (runId) => {
			if (mark.run(runId).changes === 0) throw new StoreError("RUN_UNKNOWN", `There is no sealed run ${runId}.`);
		},
		isExpired: (runId) => isExpired.get(runId)?.expired === 1,
	};
}

import type { Approval, ThreadId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import { StoreError } from "../../store-error.ts";
import { createApprovalChanged } from "./approval-changed.ts";

type ApprovalRow = [string, number, ThreadId, string, string | null, string | null, number | null, string];

/** Keeps the `approval` table up to date with the log, inside the caller's transaction. */
export function createApprovalProjection(db: Database): (run: number, threadId: ThreadId, record: Approval) => void {
	const upsert = db.prepare<ApprovalRow>(
		`INSERT INTO approval (approval_id, run, thread_id, state, decision, decided_at, window_ends, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (approval_id) DO UPDATE SET
			state = excluded.state, decision = excluded.decision, decided_at = excluded.decided_at,
			window_ends = excluded.window_ends, body = excluded.body
		WHERE run = excluded.run`,
	);
	const changed = createApprovalChanged(db);
	return (run, threadId, record) => {
		const { approvalId, state, decision = null, decidedAt = null } = record;
		const { changes } = upsert.run(approvalId, run, threadId, state, decision, decidedAt, windowEnds(record), JSON.stringify(record));
		if (changes === 0) throw new StoreError("APPEND_INVALID", `The approval ${approvalId} belongs to another run.`);
		changed(approvalId);
	};
}

/** When a grant ends, in milliseconds since the epoch; null for anything that is not a grant, and for a revoked one. */
function windowEnds({ decision, decidedAt, windowSeconds, revokedAt }: Approval): number | null {
	if (decision !== "allow_window" || revokedAt !== undefined || decidedAt === undefined || windowSeconds === undefined) return null;
	return Date.parse(decidedAt) + windowSeconds * 1000;
}

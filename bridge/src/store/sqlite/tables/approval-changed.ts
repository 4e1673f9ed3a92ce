import type { ApprovalId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";

/** Records that an approval changed, inside the caller's transaction, replacing its earlier change. */
export function createApprovalChanged(db: Database): (approvalId: ApprovalId) => void {
	const note = db.prepare<[string]>("INSERT OR REPLACE INTO change (run, approval) SELECT run, id FROM approval WHERE approval_id = ?");
	return (approvalId) => void note.run(approvalId);
}

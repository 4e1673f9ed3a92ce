import type { Approval, ApprovalId, Timestamp } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ApprovalStore, GrantQuery } from "../../../ports/tools/approval-store.ts";
import { createKeysetList } from "../rows/keyset-list.ts";
import { SHOWN, shownRun } from "../rows/shown.ts";
import { decodeRecord, decodeRow, type RecordRow } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";
import { createApprovalChanged } from "./approval-changed.ts";

const GRANTS_MAX = 200;
/**
 * Reads the current state of approvals, and revokes grants. A revocation is written to the approval's record but not to its run's log,
 * because a grant may outlive its run, whose log is then sealed.
 */
export function createApprovalStore(db: Database): ApprovalStore {
	const find = db.prepare<[string], RecordRow>(`SELECT body FROM approval WHERE approval_id = ? AND ${SHOWN}`);
	const inForce = (whose: string) =>
		`SELECT body FROM approval WHERE window_ends > @now ${whose} AND ${SHOWN} ORDER BY decided_at DESC, id DESC LIMIT ${GRANTS_MAX}`;
	const grants = db.prepare<[GrantQuery], RecordRow>(inForce(""));
	const ofThread = db.prepare<[GrantQuery], RecordRow>(inForce("AND thread_id = @threadId"));
	const revoke = db.prepare<[string, string]>(
		`UPDATE approval SET body = json_set(body, '$.revokedAt', ?), window_ends = NULL
		WHERE approval_id = ? AND state = 'decided' AND decision = 'allow_window' AND json_extract(body, '$.revokedAt') IS NULL`,
	);
	const changed = createApprovalChanged(db);
	const takeBack = db.transaction((approvalId: ApprovalId, at: Timestamp) => {
		const isTakenBack = revoke.run(at, approvalId).changes > 0;
		if (isTakenBack) changed(approvalId);
		return isTakenBack;
	});
	const list = createKeysetList(db, {
		kind: "approvals",
		table: "approval",
		key: "id",
		body: "body",
		always: SHOWN,
		filters: { state: "state = @state", runId: `run = ${shownRun("@runId")}` },
	});
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		listApprovals: ({ state, runId, limit, cursor }) =>
			reply(() => {
				const { bodies, ...next } = list({ filter: { state, runId }, limit, cursor });
				return { items: bodies.map((body) => decodeRecord<Approval>(body)), ...next };
			}),
		findApproval: (approvalId) => reply(() => decodeRow<Approval>(find.get(approvalId))),
		grants: (query) =>
			reply(() => (query.threadId === undefined ? grants : ofThread).all(query).map((row) => decodeRecord<Approval>(row.body))),
		revokeGrant: (approvalId, at) => reply(() => takeBack.immediate(approvalId, at)),
	};
}

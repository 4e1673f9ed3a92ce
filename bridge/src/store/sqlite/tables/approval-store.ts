import { Approval, type ApprovalId, type Timestamp } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ApprovalStore } from "../../../ports/approval-store.ts";
import { createKeysetList } from "../rows/keyset-list.ts";
import { decodeRecord } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";
import { createApprovalChanged } from "./approval-changed.ts";

const GRANTS_MAX = 200;
/** The same condition as the index on threads' grants. */
const GRANT = "state = 'decided' AND decision = 'allow_window'";
const NOT_REVOKED = "json_extract(body, '$.revokedAt') IS NULL";

/**
 * Reads the latest state of approvals. A revocation is only a mark on the record: a grant may outlive its run, whose log is then sealed.
 */
export function createApprovalStore(db: Database): ApprovalStore {
	const decode = (body: string): Approval => decodeRecord(Approval, body);
	const find = db.prepare<[string], { body: string }>("SELECT body FROM approval WHERE approval_id = ?");
	const grants = db.prepare<[number], { body: string }>(
		`SELECT body FROM approval WHERE ${GRANT} AND ${NOT_REVOKED} ORDER BY decided_at DESC, id DESC LIMIT ?`,
	);
	const ofThread = db.prepare<[string, number], { body: string }>(
		`SELECT body FROM approval WHERE thread_id = ? AND ${GRANT} AND ${NOT_REVOKED} ORDER BY decided_at DESC, id DESC LIMIT ?`,
	);
	const revoke = db.prepare<[string, string]>(
		`UPDATE approval SET body = json_set(body, '$.revokedAt', ?) WHERE approval_id = ? AND ${GRANT} AND ${NOT_REVOKED}`,
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
		filters: { state: "state = @state", runId: "run = (SELECT run.id FROM run WHERE run_id = @runId)" },
	});
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		listApprovals: ({ state, runId, limit, cursor }) =>
			reply(() => {
				const { bodies, ...next } = list({ filter: { state, runId }, limit, cursor });
				return { items: bodies.map(decode), ...next };
			}),
		findApproval: (approvalId) =>
			reply(() => {
				const row = find.get(approvalId);
				return row === undefined ? undefined : decode(row.body);
			}),
		grants: (threadId) =>
			reply(() => {
				const rows = threadId === undefined ? grants.all(GRANTS_MAX) : ofThread.all(threadId, GRANTS_MAX);
				return rows.map((row) => decode(row.body));
			}),
		revokeGrant: (approvalId, at) => reply(() => takeBack.immediate(approvalId, at)),
	};
}

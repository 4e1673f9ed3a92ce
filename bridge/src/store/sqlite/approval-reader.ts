import { Approval, type ApprovalId, type ThreadId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ApprovalQuery, Page } from "../../runs/run-store.ts";
import { createKeysetList } from "./keyset-list.ts";
import { decodeRecord } from "./stored-json.ts";

const WINDOWS_MAX = 100;

export interface ApprovalReader {
	list(query: ApprovalQuery): Page<Approval>;
	find(approvalId: ApprovalId): Approval | undefined;
	windows(threadId: ThreadId): readonly Approval[];
}

/** Reads approvals as the log last said. */
export function createApprovalReader(db: Database): ApprovalReader {
	const decode = (body: string): Approval => decodeRecord(Approval, body);
	const find = db.prepare<[string], { body: string }>("SELECT body FROM approval WHERE approval_id = ?");
	const windows = db.prepare<[string, number], { body: string }>(
		`SELECT body FROM approval WHERE thread_id = ? AND state = 'decided' AND decision = 'allow_window'
		ORDER BY decided_at DESC, id DESC LIMIT ?`,
	);
	const list = createKeysetList(db, {
		kind: "approvals",
		table: "approval",
		key: "id",
		body: "body",
		filters: { state: "state = @state", runId: "run = (SELECT run.id FROM run WHERE run_id = @runId)" },
	});
	return {
		list: ({ state, runId, limit, cursor }) => {
			const { bodies, ...next } = list({ filter: { state, runId }, limit, cursor });
			return { items: bodies.map(decode), ...next };
		},
		find: (approvalId) => {
			const row = find.get(approvalId);
			return row === undefined ? undefined : decode(row.body);
		},
		windows: (threadId) => windows.all(threadId, WINDOWS_MAX).map((row) => decode(row.body)),
	};
}

import type { Database } from "better-sqlite3";
import type { RunStore } from "../../../ports/run-store.ts";
import { answer } from "../rows/translate-error.ts";
import { createApprovalReader } from "./approval-store.ts";
import { createArtifactReader } from "./artifact-index.ts";
import { createLogWriter } from "./log-writer.ts";
import { createRetention } from "./retention.ts";
import { createRunReader } from "./run-reader.ts";
import { createThreadDeletion } from "./thread-deletion.ts";

/** The log, the intents and their views in SQLite. Errors: StoreError, and ContractError for a bad cursor. */
export function createRunStore(db: Database): RunStore {
	const log = createLogWriter(db);
	const runs = createRunReader(db);
	const artifacts = createArtifactReader(db);
	const approvals = createApprovalReader(db);
	const retention = createRetention(db);
	const deleteThread = createThreadDeletion(db);
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	return {
		insertRun: (record, append) => reply(() => log.insert(record, append)),
		append: (batch) => reply(() => log.append(batch)),
		findRun: (runId) => reply(() => runs.find(runId)),
		findTurn: (threadId, turnId) => reply(() => runs.findTurn(threadId, turnId)),
		readEvents: (runId, afterSeq, limit) => reply(() => runs.events(runId, afterSeq, limit)),
		sealedSnapshot: (runId) => reply(() => runs.snapshot(runId)),
		unfinishedRuns: () => reply(() => runs.unfinished()),
		listRuns: (query) => reply(() => runs.list(query)),
		lastArtifactRun: (threadId) => reply(() => artifacts.lastArtifactRun(threadId)),
		readArtifacts: (runId, afterPath, limit) => reply(() => artifacts.read(runId, afterPath, limit)),
		findArtifact: (runId, relativePath) => reply(() => artifacts.find(runId, relativePath)),
		listApprovals: (query) => reply(() => approvals.list(query)),
		findApproval: (approvalId) => reply(() => approvals.find(approvalId)),
		grants: (threadId) => reply(() => approvals.grants(threadId)),
		revokeGrant: (approvalId, at) => reply(() => approvals.revoke(approvalId, at)),
		runsWithBytes: () => reply(() => retention.kept()),
		markExpired: (runId) => reply(() => retention.markExpired(runId)),
		isExpired: (runId) => reply(() => retention.isExpired(runId)),
		deleteThread: (threadId) => reply(() => deleteThread(threadId)),
	};
}

import {
	ArtifactContract,
	ArtifactScope,
	ArtifactSyncStatus,
	AssistantMetadata,
	LifecycleStatus,
	OriginId,
	OriginKind,
	ResultCode,
	Routing,
	RunId,
	RunStatus,
	SessionId,
	Sha256,
	Snapshot,
	ThreadId,
	Timestamp,
	TurnId,
} from "@xworkmate/contracts";
import { z } from "zod";
import type { Thread, Turn } from "../threads/domain/thread.ts";
import type { TurnRecord, TurnRequest } from "../threads/domain/turn-record.ts";

const TurnStatus = z.union([RunStatus, z.enum(["waiting", "sending", "refused", "unresolved"])]);

function json<T extends z.ZodType>(schema: T) {
	return z
		.string()
		.transform((text): unknown => JSON.parse(text))
		.pipe(schema);
}

const Detail = z.object({ code: z.string().exactOptional(), message: z.string().exactOptional(), fix: z.string().exactOptional() });

export const ThreadRow = z.object({
	id: z.int(),
	thread_id: ThreadId,
	session_id: SessionId,
	title: z.string(),
	lifecycle_status: LifecycleStatus,
	last_result_code: ResultCode.nullable(),
	last_result_detail: json(Detail).nullable(),
	last_sync_status: ArtifactSyncStatus.nullable(),
	last_paths: json(z.array(z.string())),
	pending_turn_id: TurnId.nullable(),
	created_at: Timestamp,
	updated_at: Timestamp,
});
export type ThreadRow = z.infer<typeof ThreadRow>;

const TurnOrigin = z.object({ kind: OriginKind, id: OriginId.exactOptional() });

export const OriginRow = z.object({ origin: json(TurnOrigin).nullable() });

/** The JSON of `turns.request`. The prompt has its own column, which contains exactly what was typed. */
const Request = z.object({
	routing: Routing,
	contract: ArtifactContract,
	workingDirectory: z.string().exactOptional(),
	workingDirectoryRequired: z.literal(true).exactOptional(),
	worktree: z.literal(true).exactOptional(),
	remoteWorkingDirectoryHint: z.string().exactOptional(),
	fresh: z.literal(true).exactOptional(),
	assistant: AssistantMetadata.exactOptional(),
	origin: TurnOrigin.exactOptional(),
	continues: z.object({ threadId: ThreadId, turnId: TurnId, title: z.string(), given: z.int(), leftOut: z.int() }).exactOptional(),
	ownBridge: z.literal(true).exactOptional(),
	bridgeUrl: z.string().exactOptional(),
	attachments: z.array(z.object({ name: z.string(), mediaType: z.string(), sizeBytes: z.int(), sha256: Sha256 })),
});

export const TurnRow = z.object({
	turn_id: TurnId,
	status: TurnStatus,
	run_id: RunId.nullable(),
	artifact_scope: ArtifactScope.nullable(),
	last_seq: z.int(),
	result_code: ResultCode.nullable(),
	result_detail: json(Detail).nullable(),
	sync_status: ArtifactSyncStatus.nullable(),
	synced_paths: json(z.array(z.string())),
	synced_at: Timestamp.nullable(),
	created_at: Timestamp,
	cancel_requested_at: Timestamp.nullable(),
	stopping_since: Timestamp.nullable(),
	stopped_after_ms: z.int().nullable(),
	ended_at: Timestamp.nullable(),
	unresolved_since: Timestamp.nullable(),
});
export type TurnRow = z.infer<typeof TurnRow>;

export const TurnRecordRow = TurnRow.extend({ prompt: z.string(), request: json(Request), snapshot: json(Snapshot).nullable() });
export type TurnRecordRow = z.infer<typeof TurnRecordRow>;

/** Leaves out the columns that are null, so that their fields are absent. */
function present<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], null> } {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as { [K in keyof T]?: Exclude<T[K], null> };
}

export function decodeTurn(row: TurnRow): Turn {
	const { turn_id, last_seq, synced_paths, created_at } = row;
	// An earlier version called a message refused if a restored backup left open whether it was sent.
	const isLost = row.status === "refused" && row.result_detail?.code === "STORE_RESTORED";
	const status = isLost ? "interrupted" : row.status;
	return {
		...{ turnId: turn_id, status, lastSeq: last_seq, syncedPaths: synced_paths, createdAt: created_at },
		...present({ runId: row.run_id, artifactScope: row.artifact_scope, resultCode: row.result_code, resultDetail: row.result_detail }),
		...present({ syncStatus: row.sync_status, cancelRequestedAt: row.cancel_requested_at, stoppedAfterMs: row.stopped_after_ms }),
		...present({
			stoppingSince: row.stopping_since,
			endedAt: row.ended_at,
			syncedAt: row.synced_at,
			unresolvedSince: row.unresolved_since,
		}),
	};
}

export function decodeThread(row: ThreadRow, turns: readonly Turn[]): Thread {
	return {
		...{ threadId: row.thread_id, sessionId: row.session_id, title: row.title, lifecycleStatus: row.lifecycle_status },
		...{ lastTaskArtifactRelativePaths: row.last_paths, turns, createdAt: row.created_at, updatedAt: row.updated_at, deleted: false },
		...present({ lastResultCode: row.last_result_code, lastResultDetail: row.last_result_detail }),
		...present({ lastArtifactSyncStatus: row.last_sync_status, pendingTurnId: row.pending_turn_id }),
	};
}

export function decodeTurnRecord(threadId: ThreadId, row: TurnRecordRow): TurnRecord {
	const { prompt, request, snapshot } = row;
	return { threadId, turn: decodeTurn(row), request: { prompt, ...request }, ...(snapshot && { snapshot }) };
}

export function encodeThread(thread: Thread) {
	return {
		thread_id: thread.threadId,
		session_id: thread.sessionId,
		title: thread.title,
		lifecycle_status: thread.lifecycleStatus,
		last_result_code: thread.lastResultCode ?? null,
		last_result_detail: thread.lastResultDetail === undefined ? null : JSON.stringify(thread.lastResultDetail),
		last_sync_status: thread.lastArtifactSyncStatus ?? null,
		last_paths: JSON.stringify(thread.lastTaskArtifactRelativePaths),
		pending_turn_id: thread.pendingTurnId ?? null,
		created_at: thread.createdAt,
		updated_at: thread.updatedAt,
	};
}

export function encodeTurn(turn: Turn) {
	return {
		turn_id: turn.turnId,
		status: turn.status,
		run_id: turn.runId ?? null,
		artifact_scope: turn.artifactScope ?? null,
		last_seq: turn.lastSeq,
		result_code: turn.resultCode ?? null,
		result_detail: turn.resultDetail === undefined ? null : JSON.stringify(turn.resultDetail),
		sync_status: turn.syncStatus ?? null,
		synced_paths: JSON.stringify(turn.syncedPaths),
		synced_at: turn.syncedAt ?? null,
		created_at: turn.createdAt,
		cancel_requested_at: turn.cancelRequestedAt ?? null,
		stopping_since: turn.stoppingSince ?? null,
		stopped_after_ms: turn.stoppedAfterMs ?? null,
		ended_at: turn.endedAt ?? null,
		unresolved_since: turn.unresolvedSince ?? null,
	};
}

export function encodeRequest({ prompt: _ownColumn, ...request }: TurnRequest): string {
	return JSON.stringify(request);
}

import type Database from "better-sqlite3";
import { searchedText } from "./app-database.ts";
import { listTurns } from "./listed-turns.ts";

const turnColumns = [
	"turn_id",
	"status",
	"run_id",
	"artifact_scope",
	"last_seq",
	"result_code",
	"result_detail",
	"sync_status",
	"synced_paths",
	"synced_at",
	"created_at",
	"cancel_requested_at",
	"stopping_since",
	"stopped_after_ms",
	"ended_at",
	"unresolved_since",
] as const;

const threadColumns = [
	"thread_id",
	"session_id",
	"title",
	"lifecycle_status",
	"last_result_code",
	"last_result_detail",
	"last_sync_status",
	"last_paths",
	"pending_turn_id",
	"created_at",
	"updated_at",
] as const;

const names = (columns: readonly string[]) => columns.join(", ");
const values = (columns: readonly string[]) => columns.map((column) => `@${column}`).join(", ");
const assignments = (columns: readonly string[]) => columns.map((column) => `${column} = @${column}`).join(", ");

/** Must be exactly the condition of the index `turns_of_gateway`. */
export const gatewayUnderWay =
	"json_extract(request, '$.routing.executionTarget') = 'gateway' AND status IN ('waiting', 'sending', 'queued', 'running')";

const ofTurn = "(SELECT turns.id FROM turns JOIN threads ON threads.id = turns.thread WHERE thread_id = @threadId AND turn_id = @turnId)";

/** A prepared statement, whose rows have to be parsed because their type is unknown. */
interface Statement {
	get(...params: unknown[]): unknown;
	all(...params: unknown[]): unknown[];
	run(...params: unknown[]): unknown;
}

type Prepare = (sql: string) => Statement;

function readStatements(prepare: Prepare) {
	const record = `SELECT ${names(turnColumns.map((column) => `turns.${column}`))}, prompt, request, snapshot
		FROM turns JOIN threads ON threads.id = turns.thread WHERE thread_id = ?`;
	const isPinned = "EXISTS (SELECT 1 FROM thread_marks WHERE thread_marks.thread = threads.id AND pinned_at IS NOT NULL)";
	return {
		thread: prepare("SELECT * FROM threads WHERE thread_id = ?"),
		deleted: prepare("SELECT 1 FROM deleted_threads WHERE thread_id = ?"),
		threads: prepare(`SELECT * FROM threads WHERE @archived IS NULL OR (lifecycle_status = 'archived') = @archived
			ORDER BY lifecycle_status <> 'archived' AND ${isPinned} DESC, updated_at DESC, id DESC LIMIT @limit`),
		turns: prepare(`SELECT ${names(turnColumns)} FROM turns WHERE thread = ? ORDER BY id`),
		newestTurn: prepare(`SELECT ${names(turnColumns)} FROM turns WHERE thread = ? ORDER BY id DESC LIMIT 1`),
		turnRecords: prepare(`${record} ORDER BY turns.id`),
		listed: prepare(
			"SELECT lacking, failed_commands, unpermitted FROM listed_turns JOIN threads ON threads.id = thread WHERE thread_id = ?",
		),
		origin: prepare(`SELECT json_extract(request, '$.origin') AS origin FROM turns
			WHERE thread = (SELECT id FROM threads WHERE thread_id = ?) ORDER BY id LIMIT 1`),
		turnRecord: prepare(`${record} AND turn_id = ?`),
		submission: prepare(`SELECT turns.id, workspace_context FROM turns JOIN threads ON threads.id = turns.thread
			WHERE thread_id = ? AND turn_id = ?`),
		usedBlobs: prepare(`SELECT json_extract(note, '$.sha256') AS sha256 FROM attachments WHERE base64 IS NULL
			UNION SELECT json_extract(note, '$.sha256') FROM draft_files WHERE base64 IS NULL
			UNION SELECT json_extract(value, '$.sha256') FROM queued_messages, json_each(attachments)`),
		attachments: prepare("SELECT note, base64 FROM attachments WHERE turn = ? ORDER BY id"),
		keptAttachments: prepare(`SELECT note, base64 FROM attachments JOIN turns ON turns.id = attachments.turn
			JOIN threads ON threads.id = turns.thread WHERE thread_id = ? AND turn_id = ? ORDER BY attachments.id`),
		updates: prepare(`SELECT body FROM updates WHERE turn = ${ofTurn} AND seq > @afterSeq ORDER BY seq LIMIT @limit`),
		pack: prepare(`SELECT first_seq, last_seq, body FROM packed_updates WHERE turn = ${ofTurn} AND last_seq > @afterSeq
			ORDER BY last_seq LIMIT 1`),
		run: prepare("SELECT thread_id, turn_id FROM turns JOIN threads ON threads.id = turns.thread WHERE run_id = ?"),
		pending: prepare("SELECT thread_id, pending_turn_id AS turn_id FROM threads WHERE pending_turn_id IS NOT NULL ORDER BY id"),
		gateway: prepare(`SELECT thread_id, turn_id, status FROM turns JOIN threads ON threads.id = turns.thread
			WHERE ${gatewayUnderWay} ORDER BY turns.id`),
		bridgeChanges: prepare("SELECT app_id, cursor FROM bridge_changes"),
		partial: prepare(`SELECT DISTINCT thread_id FROM threads JOIN turns ON turns.thread = threads.id
			WHERE last_sync_status = 'partial' AND lifecycle_status = 'ready' AND sync_status = 'partial' AND ended_at >= ? ORDER BY threads.id`),
		unresolved: prepare(`SELECT thread_id, turn_id FROM turns JOIN threads ON threads.id = turns.thread
			WHERE unresolved_since >= ? ORDER BY unresolved_since`),
	};
}

function writeStatements(prepare: Prepare) {
	const dropContext = prepare(
		"UPDATE turns SET workspace_context = NULL WHERE thread = ? AND turn_id = ? AND workspace_context IS NOT NULL",
	);
	return {
		putThread: prepare(`INSERT INTO threads (${names(threadColumns)}) VALUES (${values(threadColumns)})
			ON CONFLICT (thread_id) DO UPDATE SET ${assignments(threadColumns)} RETURNING id`),
		deleteThread: prepare("DELETE FROM threads WHERE thread_id = ?"),
		rememberDeleted: prepare("INSERT OR IGNORE INTO deleted_threads (thread_id) VALUES (?)"),
		insertTurn: prepare(`INSERT INTO turns (thread, prompt, request, workspace_context, ${names(turnColumns)})
			VALUES (@thread, @prompt, @request, @workspaceContext, ${values(turnColumns)}) RETURNING id`),
		putSearched: prepare(`INSERT INTO search_texts (turn, folded) SELECT id, fold_text(${searchedText}) FROM turns
			WHERE thread = @thread AND turn_id = @turnId ON CONFLICT (turn) DO UPDATE SET folded = excluded.folded
			WHERE folded <> excluded.folded RETURNING turn, @thread AS thread, folded`),
		listTurns: prepare(listTurns),
		insertAttachment: prepare("INSERT INTO attachments (turn, note) VALUES (?, ?)"),
		// A terminal snapshot never changes, so the first one is kept.
		updateTurn: prepare(`UPDATE turns SET ${assignments(turnColumns)}, snapshot = COALESCE(snapshot, @snapshot)
			WHERE thread = @thread AND turn_id = @turn_id`),
		insertUpdate: prepare(`INSERT OR IGNORE INTO updates (turn, seq, body) SELECT id, @seq, @body FROM turns
			WHERE thread = @thread AND turn_id = @turnId AND NOT EXISTS
			(SELECT 1 FROM packed_updates WHERE turn = turns.id AND last_seq >= @seq AND first_seq <= @seq)`),
		putCursor: prepare("UPDATE bridge_changes SET cursor = ?"),
		dropContext,
		dropAttachments: prepare("DELETE FROM attachments WHERE turn IN (SELECT id FROM turns WHERE thread = ? AND turn_id = ?)"),
		/** Removes the attachments of all turns before a given one. */
		dropEarlierAttachments: prepare("DELETE FROM attachments WHERE turn IN (SELECT id FROM turns WHERE thread = ? AND id < ?)"),
	};
}

/** The statements of the thread store, prepared once. */
export function prepareStatements(db: Database.Database) {
	const prepare: Prepare = (sql) => db.prepare(sql);
	return { ...readStatements(prepare), ...writeStatements(prepare) };
}

export type Statements = ReturnType<typeof prepareStatements>;

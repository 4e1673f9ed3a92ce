import type Database from "better-sqlite3";
import { countTurns, uncountedThreads } from "./listed-turns.ts";

const listed = `SELECT threads.*, turns.turn_id, turns.status, turns.run_id, turns.artifact_scope, turns.last_seq, turns.result_code,
	turns.result_detail, turns.sync_status, turns.created_at, turns.cancel_requested_at, turns.stopping_since, turns.stopped_after_ms,
	turns.synced_at, turns.ended_at, turns.unresolved_since,
	json_array_length(threads.last_paths) AS file_count, json_extract(threads.last_paths, '$[0]') AS first_file,
	listed_turns.*,
	(SELECT pinned_at || '' FROM thread_marks WHERE thread_marks.thread = threads.id) AS pinned_at,
	(SELECT tags || '' FROM thread_marks WHERE thread_marks.thread = threads.id) AS tags,
	EXISTS (SELECT 1 FROM drafts WHERE drafts.thread_id = threads.thread_id) AS has_draft,
	(SELECT count(*) FROM queued_messages WHERE queued_messages.thread = threads.id
		AND json_extract(queued_messages.body, '$.removedAt') IS NULL) AS queued_count,
	(SELECT count(*) FROM queued_messages WHERE queued_messages.thread = threads.id
		AND json_extract(queued_messages.body, '$.removedAt') IS NULL
		AND coalesce(json_extract(queued_messages.body, '$.typed'), json_extract(queued_messages.body, '$.heldAt')) IS NOT NULL) AS edited_count
	FROM threads JOIN listed_turns ON listed_turns.thread = threads.id LEFT JOIN turns ON turns.id = newest`;

const queuedOfThread = "thread = (SELECT id FROM threads WHERE thread_id = ?)";
const removedAt = "json_extract(body, '$.removedAt')";

/** A prepared statement, whose rows have to be parsed because their type is unknown. */
interface Statement {
	get(...params: unknown[]): unknown;
	all(...params: unknown[]): unknown[];
	run(...params: unknown[]): unknown;
}

/**
 * Statements for what a window shows and stores. Rows of `listed` are grouped by table (better-sqlite3's `expand`): an expression belongs
 * to no table, while a column of another table would be grouped with that table.
 */
export function prepareSurfaceStatements(db: Database.Database) {
	const prepare = (sql: string): Statement => db.prepare(sql);
	const byTable = (sql: string): Statement => db.prepare(sql).expand();
	return {
		listed: byTable(`${listed} ORDER BY threads.updated_at DESC, threads.id DESC`),
		listedOne: byTable(`${listed} WHERE threads.thread_id = ?`),
		uncounted: db.prepare(uncountedThreads).pluck() as Statement,
		countTurns: prepare(countTurns),
		prompts: prepare("SELECT prompt FROM turns WHERE length(prompt) <= @longest ORDER BY id DESC LIMIT @limit"),
		keptAttachments: prepare(`SELECT turn_id, json_extract(note, '$.name') AS name FROM attachments
			JOIN turns ON turns.id = attachments.turn JOIN threads ON threads.id = turns.thread WHERE thread_id = ? ORDER BY attachments.id`),
		queued: prepare(
			`SELECT queued_id, body, notes FROM queued_messages WHERE ${queuedOfThread} AND ${removedAt} IS NULL ORDER BY place, id`,
		),
		removed: prepare(`SELECT queued_id, body, notes, NOT EXISTS (SELECT 1 FROM queued_messages AS other WHERE other.thread = own.thread
			AND json_extract(other.body, '$.removedAt') IS NULL AND (other.place, other.id) < (own.place, own.id)) AS is_next
			FROM queued_messages AS own WHERE ${queuedOfThread} AND ${removedAt} IS NOT NULL ORDER BY ${removedAt}, id`),
		queuedFiles: prepare("SELECT attachments FROM queued_messages WHERE queued_id = ?"),
		addQueued: prepare(`INSERT INTO queued_messages (thread, queued_id, place, body, notes, attachments)
			VALUES ((SELECT id FROM threads WHERE thread_id = @threadId), @queuedId,
			(SELECT coalesce(max(place), 0) + 1 FROM queued_messages), @body, @notes, @attachments)`),
		putQueuedBody: prepare("UPDATE queued_messages SET body = ? WHERE queued_id = ?"),
		placeQueued: prepare("UPDATE queued_messages SET place = ? WHERE queued_id = ?"),
		dropQueued: prepare("DELETE FROM queued_messages WHERE queued_id = ?"),
		queuedThreads: prepare(`SELECT DISTINCT thread_id FROM queued_messages JOIN threads ON threads.id = queued_messages.thread
			WHERE ${removedAt} IS NULL`),
		marks: prepare("SELECT pinned_at, tags FROM thread_marks WHERE thread = (SELECT id FROM threads WHERE thread_id = ?)"),
		putMarks:
			prepare(`INSERT INTO thread_marks (thread, pinned_at, tags) VALUES ((SELECT id FROM threads WHERE thread_id = @threadId), @pinnedAt, @tags)
			ON CONFLICT (thread) DO UPDATE SET pinned_at = @pinnedAt, tags = @tags`),
		addLink: prepare("INSERT INTO ui_links (hash, expires_at) VALUES (?, ?)"),
		// Every link has the same lifetime, so the ones that expire first are the oldest.
		dropLinks: prepare(`DELETE FROM ui_links WHERE expires_at <= @now
			OR hash NOT IN (SELECT hash FROM ui_links ORDER BY expires_at DESC, rowid DESC LIMIT @atMost)`),
		takeLink: prepare("DELETE FROM ui_links WHERE hash = ? AND expires_at > ? RETURNING hash"),
		session: prepare("SELECT 1 FROM ui_sessions WHERE hash = ? AND expires_at > ?"),
		addSession: prepare("INSERT INTO ui_sessions (hash, expires_at) VALUES (?, ?)"),
		dropSessions: prepare("DELETE FROM ui_sessions WHERE expires_at <= ?"),
	};
}

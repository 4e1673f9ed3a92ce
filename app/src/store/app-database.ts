import { type Activity, failedCommandsIn, restoreDatabase } from "@xworkmate/contracts";
import { DatabaseRefused, openDatabase } from "@xworkmate/platform/sqlite";
import Database from "better-sqlite3";
import { AppError } from "../errors/app-error.ts";
import { foldText } from "../threads/domain/folded-text.ts";
import { unpermitted } from "./listed-turns.ts";
import { indexId } from "./search-index.ts";
import { tokenizer } from "./searched-words.ts";

/**
 * SQL for the text of a turn that a search reads: its prompt, the names of its attached files, its answer and the names of its files. They
 * are separated by U+001F, which cannot be typed, so that no match spans two of them.
 */
export const searchedText = `concat_ws(char(31), prompt,
	(SELECT group_concat(json_extract(value, '$.name'), char(31)) FROM json_each(request, '$.attachments')),
	json_extract(snapshot, '$.output.text'),
	(SELECT group_concat(json_extract(value, '$.relativePath'), char(31)) FROM json_each(snapshot, '$.artifacts.items')),
	(SELECT group_concat(value, char(31)) FROM json_each(synced_paths)))`;

/** One migration per schema version. Released migrations are never changed; new ones are added at the end. */
const migrations: readonly string[] = [
	`CREATE TABLE threads (
		id INTEGER PRIMARY KEY,
		thread_id TEXT NOT NULL UNIQUE,
		session_id TEXT NOT NULL,
		title TEXT NOT NULL,
		lifecycle_status TEXT NOT NULL,
		last_result_code TEXT,
		last_result_detail TEXT,
		last_sync_status TEXT,
		last_paths TEXT NOT NULL,
		pending_turn_id TEXT,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL
	) STRICT;
	CREATE INDEX threads_by_change ON threads (updated_at);
	CREATE TABLE turns (
		id INTEGER PRIMARY KEY,
		thread INTEGER NOT NULL REFERENCES threads ON DELETE CASCADE,
		turn_id TEXT NOT NULL,
		prompt TEXT NOT NULL,
		request TEXT NOT NULL,
		workspace_context TEXT,
		status TEXT NOT NULL,
		run_id TEXT,
		artifact_scope TEXT,
		last_seq INTEGER NOT NULL,
		result_code TEXT,
		result_detail TEXT,
		sync_status TEXT,
		synced_paths TEXT NOT NULL,
		snapshot TEXT,
		created_at TEXT NOT NULL,
		cancel_requested_at TEXT,
		ended_at TEXT,
		unresolved_since TEXT,
		UNIQUE (thread, turn_id)
	) STRICT;
	CREATE INDEX turns_by_run ON turns (run_id) WHERE run_id IS NOT NULL;
	CREATE INDEX turns_unresolved ON turns (unresolved_since) WHERE unresolved_since IS NOT NULL;
	CREATE TABLE attachments (
		id INTEGER PRIMARY KEY,
		turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
		note TEXT NOT NULL,
		base64 TEXT NOT NULL
	) STRICT;
	CREATE INDEX attachments_by_turn ON attachments (turn);
	CREATE TABLE updates (
		id INTEGER PRIMARY KEY,
		turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
		seq INTEGER NOT NULL,
		body TEXT NOT NULL,
		UNIQUE (turn, seq)
	) STRICT;`,
	`CREATE INDEX turns_of_gateway ON turns (id)
		WHERE json_extract(request, '$.routing.executionTarget') = 'gateway' AND status IN ('waiting', 'sending', 'queued', 'running');`,
	`CREATE TABLE drafts (
		thread_id TEXT UNIQUE REFERENCES threads (thread_id) ON DELETE CASCADE,
		body TEXT NOT NULL
	) STRICT;
	CREATE TABLE queued_messages (
		id INTEGER PRIMARY KEY,
		thread INTEGER NOT NULL REFERENCES threads ON DELETE CASCADE,
		queued_id TEXT NOT NULL UNIQUE,
		place INTEGER NOT NULL,
		body TEXT NOT NULL,
		notes TEXT NOT NULL,
		attachments TEXT NOT NULL
	) STRICT;
	CREATE INDEX queued_by_thread ON queued_messages (thread, place);
	CREATE TABLE ui_sessions (
		hash TEXT PRIMARY KEY,
		expires_at INTEGER NOT NULL
	) STRICT;`,
	`CREATE TABLE draft_files (
		id INTEGER PRIMARY KEY,
		thread_id TEXT REFERENCES threads (thread_id) ON DELETE CASCADE,
		file_id TEXT NOT NULL UNIQUE,
		note TEXT NOT NULL,
		base64 TEXT NOT NULL
	) STRICT;
	CREATE INDEX draft_files_by_thread ON draft_files (thread_id);`,
	// The text of each turn that a search reads. It is folded once, when it is written, because folding all text for every search takes
	// seconds.
	`CREATE TABLE search_texts (
		turn INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
		folded TEXT NOT NULL
	) STRICT;
	INSERT INTO search_texts (turn, folded) SELECT id, fold_text(${searchedText}) FROM turns;
	CREATE TABLE deleted_threads (thread_id TEXT PRIMARY KEY) STRICT;`,
	// The bytes of an attached file are a blob beside the database. Bytes that are already in the database stay there until their row is
	// deleted.
	`CREATE TABLE attachments_with_blobs (
		id INTEGER PRIMARY KEY,
		turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
		note TEXT NOT NULL,
		base64 TEXT
	) STRICT;
	INSERT INTO attachments_with_blobs (id, turn, note, base64) SELECT id, turn, note, base64 FROM attachments;
	DROP TABLE attachments;
	ALTER TABLE attachments_with_blobs RENAME TO attachments;
	CREATE INDEX attachments_by_turn ON attachments (turn);`,
	// The id by which the app is known to bridges, and how far it has read the changes of its bridge.
	`CREATE TABLE bridge_changes (app_id TEXT NOT NULL, cursor TEXT) STRICT;
	INSERT INTO bridge_changes (app_id) SELECT 'app-' || lower(hex(randomblob(10)));`,
	// The bytes of a draft's files are blobs too.
	`CREATE TABLE draft_files_with_blobs (
		id INTEGER PRIMARY KEY,
		thread_id TEXT REFERENCES threads (thread_id) ON DELETE CASCADE,
		file_id TEXT NOT NULL UNIQUE,
		note TEXT NOT NULL,
		base64 TEXT
	) STRICT;
	INSERT INTO draft_files_with_blobs (id, thread_id, file_id, note, base64) SELECT id, thread_id, file_id, note, base64 FROM draft_files;
	DROP TABLE draft_files;
	ALTER TABLE draft_files_with_blobs RENAME TO draft_files;
	CREATE INDEX draft_files_by_thread ON draft_files (thread_id);`,
	// Tables for what a list shows about a thread's turns, for the index of the searched text, and for the updates of ended turns.
	// `SurfaceStore` fills the first for rows of an earlier version, and `StoreUpkeep` the others, because a migration would take minutes.
	`CREATE TABLE listed_turns (
		thread INTEGER PRIMARY KEY REFERENCES threads ON DELETE CASCADE,
		newest INTEGER,
		turn_count INTEGER NOT NULL,
		delivered_count INTEGER NOT NULL,
		collected_count INTEGER,
		preview TEXT,
		provider_id TEXT,
		working_directory TEXT,
		answer TEXT
	) STRICT;
	CREATE TABLE packed_updates (
		turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
		first_seq INTEGER NOT NULL,
		last_seq INTEGER NOT NULL,
		body BLOB NOT NULL,
		UNIQUE (turn, last_seq)
	) STRICT;
	CREATE VIRTUAL TABLE search_index USING fts5 (
		folded, content = 'search_texts', content_rowid = 'turn', tokenize = 'trigram case_sensitive 1', detail = none
	);
	INSERT INTO search_index (search_index, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
	CREATE TABLE search_upkeep (indexed_from INTEGER NOT NULL, purging INTEGER NOT NULL) STRICT;
	INSERT INTO search_upkeep SELECT coalesce(max(turn) + 1, 0), 0 FROM search_texts;
	CREATE TRIGGER search_text_added AFTER INSERT ON search_texts BEGIN
		INSERT INTO search_index (rowid, folded) VALUES (new.turn, new.folded);
	END;
	CREATE TRIGGER search_text_changed AFTER UPDATE ON search_texts BEGIN
		INSERT INTO search_index (search_index, rowid, folded) SELECT 'delete', old.turn, old.folded
			WHERE EXISTS (SELECT 1 FROM search_index_docsize WHERE id = old.turn);
		INSERT INTO search_index (rowid, folded) VALUES (new.turn, new.folded);
	END;
	CREATE TRIGGER search_text_removed AFTER DELETE ON search_texts BEGIN
		INSERT INTO search_index (search_index, rowid, folded) SELECT 'delete', old.turn, old.folded
			WHERE EXISTS (SELECT 1 FROM search_index_docsize WHERE id = old.turn);
		UPDATE search_upkeep SET purging = 1;
	END;`,
	// Absent for turns that ended before this version: few of them called tools, and reading every snapshot would take a long time. For the
	// same reason it is absent for turns that ended before rejected files, and allowed edits that are missing from their file, were counted:
	// a list shows such a turn as a success, and only its card says otherwise.
	"ALTER TABLE listed_turns ADD COLUMN lacking TEXT;",
	// The marks that the user gave threads. A thread without marks has no row.
	`CREATE TABLE thread_marks (
		thread INTEGER PRIMARY KEY REFERENCES threads ON DELETE CASCADE,
		pinned_at TEXT,
		tags TEXT NOT NULL
	) STRICT;`,
	// The time limit that stopped a turn. Absent if the user stopped the turn, or if it was stopped before this version.
	"ALTER TABLE turns ADD COLUMN stopped_after_ms INTEGER;",
	// Absent for a turn that ended before this version.
	"ALTER TABLE listed_turns ADD COLUMN failed_commands INTEGER;",
	// A word index that replaces the trigram index, and a table of all its words. `SearchIndex` writes both. `StoreUpkeep` fills them for
	// earlier turns, which would take minutes in a migration, and drops the trigram index, which takes seconds.
	`DROP TRIGGER search_text_added;
	DROP TRIGGER search_text_changed;
	DROP TRIGGER search_text_removed;
	CREATE VIRTUAL TABLE word_index USING fts5 (
		words, content = '', contentless_delete = 1, detail = none, tokenize = "${tokenizer}"
	);
	INSERT INTO word_index (word_index, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
	CREATE TABLE search_words (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
	UPDATE search_upkeep SET indexed_from = (SELECT coalesce(max(turn) + 1, 0) FROM search_texts), purging = 0;
	CREATE TRIGGER turn_not_searched BEFORE DELETE ON turns BEGIN
		DELETE FROM word_index WHERE rowid = ${indexId("old.thread", "old.id")};
		UPDATE search_upkeep SET purging = 1;
	END;`,
	// Links that give a browser access and have not been used yet. An app that takes over from this one must accept them too.
	`CREATE TABLE ui_links (
		hash TEXT PRIMARY KEY,
		expires_at INTEGER NOT NULL
	) STRICT;`,
	// Absent for a turn whose files were saved, or that ended, before this version.
	`ALTER TABLE turns ADD COLUMN synced_at TEXT;
	ALTER TABLE listed_turns ADD COLUMN changed_count INTEGER;
	ALTER TABLE listed_turns ADD COLUMN acted INTEGER;`,
	// Absent for a turn that ended before this version.
	"ALTER TABLE turns ADD COLUMN stopping_since TEXT;",
	// The user did not write the prompt of a plan's run, so the list no longer shows it.
	`UPDATE listed_turns SET preview = ''
		WHERE newest IN (SELECT id FROM turns WHERE json_extract(request, '$.origin.kind') = 'plan');`,
	`ALTER TABLE listed_turns ADD COLUMN unpermitted TEXT;
	UPDATE listed_turns SET unpermitted = (SELECT ${unpermitted} FROM turns WHERE turns.id = newest) WHERE lacking IS NOT NULL;`,
];

/** Schema versions whose migration neither adds a reference to another row nor removes a row. */
const addingVersions: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);

const RESTORE = `${restoreDatabase("with an empty list")} The threads' folders are not affected.`;

/** Identifies `app.sqlite`; another program's SQLite file has another application id. */
const APPLICATION_ID = 0x58574d41;

/**
 * Opens `<home>/app/app.sqlite` and migrates it to this version's schema.
 * @throws AppError APP_DATABASE_NEWER, APP_DATABASE_DAMAGED; the file is left unchanged
 */
export function openAppDatabase(path: string): Database.Database {
	try {
		return openDatabase(path, {
			applicationId: APPLICATION_ID,
			migrations: migrations.map((sql, index) => ({
				...{ name: "the app's schema", sql },
				...(addingVersions.has(index + 1) && { keepsReferences: true as const }),
			})),
			essentialTables: ["threads"],
			prepare,
		});
	} catch (error) {
		if (error instanceof DatabaseRefused) throw refused(path, error);
		if (error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) throw damaged(path, error);
		throw error;
	}
}

function prepare(db: Database.Database): void {
	db.function("fold_text", { deterministic: true }, (text) => foldText(String(text)));
	db.function("failed_commands", { deterministic: true }, countFailedCommands);
}

/** How many commands in a run's activity (JSON) failed and did not succeed later; null if there is no activity, or if there are none. */
function countFailedCommands(activity: unknown): number | null {
	if (typeof activity !== "string") return null;
	const { length } = failedCommandsIn(JSON.parse(activity) as Pick<Activity, "items">);
	return length === 0 ? null : length;
}

function refused(path: string, { reason, message, cause }: DatabaseRefused): unknown {
	switch (reason) {
		case "newer":
			return new AppError(
				"APP_DATABASE_NEWER",
				`${message} The file was not changed.`,
				"Start the newer version, or set XWORKMATE_HOME to another folder.",
			);
		case "foreign":
		case "damaged":
			return damaged(path);
		case "migration_failed":
			return cause;
	}
}

function damaged(path: string, cause?: unknown): AppError {
	return new AppError(
		"APP_DATABASE_DAMAGED",
		`${path} is damaged, or is not an XWorkmate database. The file was not changed.`,
		RESTORE,
		cause,
	);
}

/** The error for damage that is found while the database is in use. */
export function damagedDatabase(path: string, cause: unknown): AppError {
	return new AppError("APP_DATABASE_DAMAGED", `${path} is damaged.`, RESTORE, cause);
}

// Version 1 of the store. A released migration never changes; a change to the schema is a new migration.
//
// Immutable data is separate from changing data: `run` (an intent, whose prompt may be megabytes) is never rewritten when `run_state`
// changes. Rows refer to a run by an integer instead of its id, which is longer, because every row of `event` contains such a reference.

const tables = `
CREATE TABLE run (
	id INTEGER PRIMARY KEY,
	run_id TEXT NOT NULL UNIQUE,
	thread_id TEXT NOT NULL,
	turn_id TEXT NOT NULL,
	record TEXT NOT NULL,
	UNIQUE (thread_id, turn_id)
) STRICT;

CREATE TABLE event (
	id INTEGER PRIMARY KEY,
	run INTEGER NOT NULL REFERENCES run (id),
	seq INTEGER NOT NULL,
	at TEXT NOT NULL,
	status TEXT NOT NULL
		CHECK (status IN ('queued', 'running', 'completed', 'failed', 'artifact_missing', 'cancelled', 'interrupted')),
	body TEXT NOT NULL,
	UNIQUE (run, seq)
) STRICT;

CREATE TABLE run_state (
	run INTEGER PRIMARY KEY REFERENCES run (id),
	thread_id TEXT NOT NULL,
	status TEXT NOT NULL,
	summary TEXT NOT NULL
) STRICT;
CREATE INDEX run_state_by_status ON run_state (status, run);
CREATE INDEX run_state_by_thread ON run_state (thread_id, run);
CREATE INDEX run_state_by_thread_status ON run_state (thread_id, status, run);

CREATE TABLE sealed (
	run INTEGER PRIMARY KEY REFERENCES run (id),
	snapshot TEXT NOT NULL
) STRICT;

CREATE TABLE artifact (
	run INTEGER NOT NULL REFERENCES run (id),
	path TEXT NOT NULL COLLATE BINARY,
	body TEXT NOT NULL,
	PRIMARY KEY (run, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_bytes (
	run INTEGER PRIMARY KEY REFERENCES run (id),
	ended_at TEXT NOT NULL,
	total_bytes INTEGER NOT NULL,
	expired INTEGER NOT NULL DEFAULT 0 CHECK (expired IN (0, 1))
) STRICT;
CREATE INDEX run_bytes_kept ON run_bytes (ended_at, run) WHERE expired = 0 AND total_bytes > 0;

CREATE TABLE approval (
	id INTEGER PRIMARY KEY,
	approval_id TEXT NOT NULL UNIQUE,
	run INTEGER NOT NULL REFERENCES run (id),
	thread_id TEXT NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('pending', 'decided', 'expired', 'withdrawn')),
	decision TEXT,
	decided_at TEXT,
	body TEXT NOT NULL
) STRICT;
CREATE INDEX approval_by_run ON approval (run);
CREATE INDEX approval_by_run_state ON approval (run, state);
CREATE INDEX approval_by_state ON approval (state);
CREATE INDEX approval_windows ON approval (thread_id, decided_at) WHERE state = 'decided' AND decision = 'allow_window';

CREATE TABLE session (
	id INTEGER PRIMARY KEY,
	thread_id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL UNIQUE,
	created_at TEXT NOT NULL,
	closed INTEGER NOT NULL CHECK (closed IN (0, 1))
) STRICT;

CREATE TABLE provider_session (
	session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
	provider_id TEXT NOT NULL,
	provider_session_id TEXT NOT NULL,
	working_directory TEXT NOT NULL,
	PRIMARY KEY (session, provider_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE child_process (
	pid INTEGER PRIMARY KEY,
	start_time TEXT NOT NULL,
	label TEXT NOT NULL
) STRICT;

-- Threads being deleted; filled and emptied inside one transaction.
CREATE TABLE deleting (thread_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

// The log has no gaps, ends once, and never changes once sealed. The database file itself enforces this, whichever program writes to it.
const logRules = `
CREATE TRIGGER event_follows BEFORE INSERT ON event
WHEN NEW.seq <> 1 + coalesce((SELECT max(seq) FROM event WHERE run = NEW.run), 0)
BEGIN SELECT RAISE(ABORT, 'an event must follow the last one of its run'); END;

CREATE TRIGGER event_not_after_end BEFORE INSERT ON event
WHEN (SELECT status FROM event WHERE run = NEW.run ORDER BY seq DESC LIMIT 1) NOT IN ('queued', 'running')
BEGIN SELECT RAISE(ABORT, 'the run has ended'); END;

CREATE TRIGGER sealed_at_end BEFORE INSERT ON sealed
WHEN (SELECT status FROM event WHERE run = NEW.run ORDER BY seq DESC LIMIT 1) IN ('queued', 'running')
BEGIN SELECT RAISE(ABORT, 'a run is sealed with its terminal event'); END;

CREATE TRIGGER sealed_once BEFORE INSERT ON sealed
WHEN EXISTS (SELECT 1 FROM sealed WHERE run = NEW.run)
BEGIN SELECT RAISE(ABORT, 'the run is sealed'); END;

CREATE TRIGGER artifact_not_after_seal BEFORE INSERT ON artifact
WHEN EXISTS (SELECT 1 FROM sealed WHERE run = NEW.run)
BEGIN SELECT RAISE(ABORT, 'the run is sealed'); END;

CREATE TRIGGER run_state_not_after_seal BEFORE UPDATE ON run_state
WHEN EXISTS (SELECT 1 FROM sealed WHERE run = OLD.run)
BEGIN SELECT RAISE(ABORT, 'the run is sealed'); END;
`;

const neverUpdated = (table: string): string => `
CREATE TRIGGER ${table}_never_updated BEFORE UPDATE ON ${table}
BEGIN SELECT RAISE(ABORT, '${table} rows never change'); END;
`;

const deletedWithThread = (table: string, thread: string): string => `
CREATE TRIGGER ${table}_deleted_with_thread BEFORE DELETE ON ${table}
WHEN NOT EXISTS (SELECT 1 FROM deleting WHERE thread_id = ${thread})
BEGIN SELECT RAISE(ABORT, '${table} rows are deleted with their thread only'); END;
`;

const threadOfRun = "(SELECT thread_id FROM run WHERE id = OLD.run)";

export const schemaV1 = [
	tables,
	logRules,
	...["run", "event", "sealed", "artifact"].map(neverUpdated),
	deletedWithThread("run", "OLD.thread_id"),
	...["event", "run_state", "sealed", "artifact", "run_bytes", "approval"].map((table) => deletedWithThread(table, threadOfRun)),
].join("");

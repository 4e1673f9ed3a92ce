/**
 * What typed tools need (docs/architecture.md#programs).
 *
 * - `receipt`: an index of the log's receipt events, whose bodies are the receipts. `n` is the receipt's number in its run, and `seq` is
 *   that of its event.
 * - `run_step`: the recorded facts of a program, which together let it run again to the same point.
 * - `tool_acceptance`: the versions of each integration that were accepted. Only the last acceptance counts.
 * - `tool_policy`: the user's rule for a tool.
 * - `receipt_ledger`: the number and the hash of the ledger file's last line, so that a missing end is noticed. One row.
 */
export const schemaV6 = `
CREATE TABLE receipt (
	id INTEGER PRIMARY KEY,
	run INTEGER NOT NULL REFERENCES run (id),
	n INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	at TEXT NOT NULL,
	type TEXT NOT NULL,
	origin TEXT NOT NULL CHECK (origin IN ('executed', 'reported')),
	tool TEXT,
	call TEXT,
	UNIQUE (run, n)
) STRICT;
CREATE INDEX receipt_by_tool ON receipt (tool, id);
CREATE INDEX receipt_by_call ON receipt (run, call, n);

CREATE TABLE run_step (
	id INTEGER PRIMARY KEY,
	run INTEGER NOT NULL REFERENCES run (id),
	n INTEGER NOT NULL,
	kind TEXT NOT NULL,
	at TEXT NOT NULL,
	body TEXT NOT NULL,
	UNIQUE (run, n)
) STRICT;

CREATE TABLE tool_acceptance (
	id INTEGER PRIMARY KEY,
	integration TEXT NOT NULL,
	hash TEXT NOT NULL,
	decided_by TEXT NOT NULL,
	at TEXT NOT NULL
) STRICT;
CREATE INDEX tool_acceptance_of ON tool_acceptance (integration, id);

CREATE TABLE tool_policy (
	tool TEXT PRIMARY KEY,
	decision TEXT NOT NULL CHECK (decision IN ('allow', 'ask', 'deny')),
	decided_by TEXT NOT NULL,
	at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE receipt_ledger (
	only INTEGER PRIMARY KEY CHECK (only = 1),
	n INTEGER NOT NULL,
	hash TEXT NOT NULL
) STRICT;

CREATE TRIGGER receipt_never_updated BEFORE UPDATE ON receipt
BEGIN SELECT RAISE(ABORT, 'receipt rows never change'); END;
CREATE TRIGGER receipt_deleted_with_thread BEFORE DELETE ON receipt
WHEN NOT EXISTS (SELECT 1 FROM deleting WHERE thread_id = (SELECT thread_id FROM run WHERE id = OLD.run))
BEGIN SELECT RAISE(ABORT, 'receipt rows are deleted only with their thread'); END;
CREATE TRIGGER run_step_never_updated BEFORE UPDATE ON run_step
BEGIN SELECT RAISE(ABORT, 'run_step rows never change'); END;
`;

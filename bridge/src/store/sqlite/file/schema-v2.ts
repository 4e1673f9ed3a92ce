/** `delivery`: a thread's completed runs that have files, so that the last one is found without scanning all of the thread's runs. */
export const schemaV2 = `
CREATE TABLE delivery (
	thread_id TEXT NOT NULL,
	run INTEGER NOT NULL REFERENCES run (id),
	PRIMARY KEY (thread_id, run)
) STRICT, WITHOUT ROWID;

INSERT INTO delivery (thread_id, run)
SELECT thread_id, run FROM run_state
WHERE status = 'completed' AND EXISTS (SELECT 1 FROM artifact WHERE artifact.run = run_state.run);

CREATE TRIGGER delivery_never_updated BEFORE UPDATE ON delivery
BEGIN SELECT RAISE(ABORT, 'delivery rows never change'); END;

CREATE TRIGGER delivery_deleted_with_thread BEFORE DELETE ON delivery
WHEN NOT EXISTS (SELECT 1 FROM deleting WHERE thread_id = OLD.thread_id)
BEGIN SELECT RAISE(ABORT, 'delivery rows are deleted with their thread only'); END;
`;

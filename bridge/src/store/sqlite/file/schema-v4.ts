/**
 * Changes for `xworkmate.changes.subscribe`: one row for each run and each approval, which moves to the end with each change. Uses
 * AUTOINCREMENT, because deleting a thread may remove the highest number, and if that were reused, a reader would miss a change.
 * `change_log` distinguishes this database's cursors from those of others.
 */
export const schemaV4 = `
CREATE TABLE change (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	run INTEGER NOT NULL REFERENCES run (id),
	approval INTEGER REFERENCES approval (id)
) STRICT;
CREATE UNIQUE INDEX change_of_run ON change (run) WHERE approval IS NULL;
CREATE UNIQUE INDEX change_of_approval ON change (approval) WHERE approval IS NOT NULL;
CREATE INDEX change_by_run ON change (run);

CREATE TABLE change_log (name TEXT NOT NULL) STRICT;
INSERT INTO change_log (name) SELECT lower(hex(randomblob(8)));

INSERT INTO change (run) SELECT id FROM run ORDER BY id;
INSERT INTO change (run, approval) SELECT run, id FROM approval WHERE state = 'pending' ORDER BY id;
`;

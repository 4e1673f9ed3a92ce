/**
 * `attempt`: runs that are, or were, in a phase in which they could crash the bridge. Like `child_process`, the table is about the bridge's
 * processes, so its rows are not part of a run's records.
 */
export const schemaV3 = `
CREATE TABLE attempt (
	run_id TEXT PRIMARY KEY,
	deaths INTEGER NOT NULL CHECK (deaths >= 0),
	open INTEGER NOT NULL CHECK (open IN (0, 1))
) STRICT;
`;

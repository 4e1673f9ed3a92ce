/** Runs in a phase in which they could crash the bridge. Like `child_process`, this keeps track of processes and is not part of a run. */
export const schemaV3 = `
CREATE TABLE attempt (
	run_id TEXT PRIMARY KEY,
	deaths INTEGER NOT NULL CHECK (deaths >= 0),
	open INTEGER NOT NULL CHECK (open IN (0, 1))
) STRICT;
`;

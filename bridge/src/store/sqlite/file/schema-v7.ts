/**
 * What the assistant's accounts and the operators need.
 *
 * - `auth_profile_state`: what is known about an account, for one model; model '' means all. The secret is in `auth-profiles.json`,
 *   never here.
 * - `operator_thread`: the thread that the messages of a channel of the operator's service belong to.
 * - `operator_post`: each message that is posted, recorded before it is sent.
 */
export const schemaV7 = `
CREATE TABLE auth_profile_state (
	profile TEXT NOT NULL,
	model TEXT NOT NULL,
	used TEXT,
	failures INTEGER NOT NULL,
	until TEXT,
	reason TEXT CHECK (reason IN ('rate_limited', 'auth', 'billing')),
	PRIMARY KEY (profile, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_thread (
	channel TEXT PRIMARY KEY,
	thread TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_post (
	nonce TEXT PRIMARY KEY,
	channel TEXT NOT NULL,
	run TEXT NOT NULL,
	kind TEXT NOT NULL,
	message TEXT,
	state TEXT NOT NULL CHECK (state IN ('intended', 'sent', 'failed')),
	at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_post_of ON operator_post (run, kind);
CREATE INDEX operator_post_unfinished ON operator_post (at, nonce) WHERE state = 'intended';
`;

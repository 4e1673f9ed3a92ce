import type { ThreadId } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { ProviderSession, Session, SessionStore } from "../../../ports/runs/session-store.ts";
import { StoreError } from "../../store-error.ts";
import { answer } from "../rows/translate-error.ts";

/** A session as it is stored. `closed` is a number, because SQLite has no booleans. */
type SessionRow = Omit<Session, "closed"> & { readonly closed: 0 | 1 };

/** Stores sessions, and their conversations with providers, in SQLite. */
export function createSessionStore(db: Database): SessionStore {
	const sql = { ...prepareSessionStatements(db), ...prepareProviderStatements(db) };
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	const session = (row: SessionRow | undefined): Session | undefined => row && { ...row, closed: row.closed === 1 };

	const insert = db.transaction((wanted: Session): Session => {
		const taken = session(sql.byThread.get(wanted.threadId)) ?? session(sql.bySession.get(wanted.sessionId));
		if (taken !== undefined) return taken;
		sql.insert.run(wanted.threadId, wanted.sessionId, wanted.createdAt, wanted.closed ? 1 : 0);
		return wanted;
	});

	return {
		findByThread: (threadId) => reply(() => session(sql.byThread.get(threadId))),
		findBySession: (sessionId) => reply(() => session(sql.bySession.get(sessionId))),
		insert: (wanted) => reply(() => insert.immediate(wanted)),
		setClosed: (threadId, closed) => reply(() => mustChange(sql.setClosed.run(closed ? 1 : 0, threadId).changes, threadId)),
		providerSession: (threadId, providerId) => reply(() => sql.provider.get(threadId, providerId)),
		saveProviderSession: (threadId, providerId, saved) =>
			reply(() => {
				if (saved === undefined) sql.forget.run(threadId, providerId);
				else mustChange(sql.save.run(providerId, saved.providerSessionId, saved.workingDirectory, threadId).changes, threadId);
			}),
	};
}

function prepareSessionStatements(db: Database) {
	const columns = "thread_id AS threadId, session_id AS sessionId, created_at AS createdAt, closed";
	return {
		byThread: db.prepare<[string], SessionRow>(`SELECT ${columns} FROM session WHERE thread_id = ?`),
		bySession: db.prepare<[string], SessionRow>(`SELECT ${columns} FROM session WHERE session_id = ?`),
		insert: db.prepare<[string, string, string, number]>(
			"INSERT INTO session (thread_id, session_id, created_at, closed) VALUES (?, ?, ?, ?)",
		),
		setClosed: db.prepare<[number, string]>("UPDATE session SET closed = ? WHERE thread_id = ?"),
	};
}

function prepareProviderStatements(db: Database) {
	const ofThread = "session = (SELECT session.id FROM session WHERE thread_id = ?)";
	return {
		provider: db.prepare<[string, string], ProviderSession>(
			`SELECT provider_session_id AS providerSessionId, working_directory AS workingDirectory
			FROM provider_session WHERE ${ofThread} AND provider_id = ?`,
		),
		save: db.prepare<[string, string, string, string]>(
			`INSERT INTO provider_session (session, provider_id, provider_session_id, working_directory)
			SELECT id, ?, ?, ? FROM session WHERE thread_id = ?
			ON CONFLICT (session, provider_id) DO UPDATE SET
				provider_session_id = excluded.provider_session_id, working_directory = excluded.working_directory`,
		),
		forget: db.prepare<[string, string]>(`DELETE FROM provider_session WHERE ${ofThread} AND provider_id = ?`),
	};
}

function mustChange(changes: number, threadId: ThreadId): void {
	if (changes === 0) throw new StoreError("THREAD_UNKNOWN", `The thread ${threadId} has no session.`);
}

import { ContractError, type SessionId, type ThreadId, type Timestamp } from "@xworkmate/contracts";
import type { Session, SessionStore } from "../ports/runs/session-store.ts";

export type SubmitMethod = "session.start" | "session.message";

/**
 * The session that a turn belongs to. Opens one if the method may (docs/protocol.md#turns).
 * @throws ContractError SESSION_CONFLICT, SESSION_NOT_FOUND, SESSION_CLOSED
 */
export async function sessionForTurn(
	store: SessionStore,
	method: SubmitMethod,
	wanted: { readonly threadId: ThreadId; readonly sessionId: SessionId; readonly now: Timestamp },
): Promise<Session> {
	const { threadId, sessionId, now } = wanted;
	const known = await store.findByThread(threadId);
	if (known !== undefined) return continued(store, method, known, sessionId);
	if (method === "session.message") throw new ContractError("SESSION_NOT_FOUND", { detail: "This bridge has no session for this thread." });
	const inserted = await store.insert({ threadId, sessionId, createdAt: now, closed: false });
	if (inserted.threadId !== threadId) {
		throw new ContractError("SESSION_CONFLICT", { detail: "The sessionId belongs to another thread." });
	}
	return continued(store, method, inserted, sessionId);
}

async function continued(store: SessionStore, method: SubmitMethod, session: Session, sessionId: SessionId): Promise<Session> {
	if (session.sessionId !== sessionId) {
		throw new ContractError("SESSION_CONFLICT", { detail: "This thread has a different sessionId." });
	}
	if (!session.closed) return session;
	if (method === "session.message") throw new ContractError("SESSION_CLOSED");
	await store.setClosed(session.threadId, false);
	return { ...session, closed: false };
}

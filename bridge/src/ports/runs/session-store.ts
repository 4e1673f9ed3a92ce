import type { ProviderId, SessionId, ThreadId, Timestamp } from "@xworkmate/contracts";

/** A thread's session. Each thread has one. */
export interface Session {
	readonly threadId: ThreadId;
	readonly sessionId: SessionId;
	readonly createdAt: Timestamp;
	readonly closed: boolean;
}

/** A thread's conversation with one provider, on the runtime's side. */
export interface ProviderSession {
	readonly providerSessionId: string;
	/** The directory that the conversation was opened in. A conversation can't continue in another directory. */
	readonly workingDirectory: string;
}

export interface SessionStore {
	findByThread(threadId: ThreadId): Promise<Session | undefined>;
	findBySession(sessionId: SessionId): Promise<Session | undefined>;
	/** Inserts the session; returns the existing record if the thread or the session exists. */
	insert(session: Session): Promise<Session>;
	setClosed(threadId: ThreadId, closed: boolean): Promise<void>;
	providerSession(threadId: ThreadId, providerId: ProviderId): Promise<ProviderSession | undefined>;
	/** Saves the conversation; undefined deletes the saved one. */
	saveProviderSession(threadId: ThreadId, providerId: ProviderId, session: ProviderSession | undefined): Promise<void>;
}

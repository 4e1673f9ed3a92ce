import type { ProviderId, SessionId, ThreadId, Timestamp } from "@xworkmate/contracts";

/** One per thread. */
export interface Session {
	readonly threadId: ThreadId;
	readonly sessionId: SessionId;
	readonly createdAt: Timestamp;
	readonly closed: boolean;
}

/** The runtime-side conversation of a thread with one provider. */
export interface ProviderSession {
	readonly providerSessionId: string;
	/** The directory it was opened in; another one needs another conversation. */
	readonly workingDirectory: string;
}

export interface SessionStore {
	findByThread(threadId: ThreadId): Promise<Session | undefined>;
	findBySession(sessionId: SessionId): Promise<Session | undefined>;
	/** Inserts; when the thread or the session exists, returns the existing record. */
	insert(session: Session): Promise<Session>;
	setClosed(threadId: ThreadId, closed: boolean): Promise<void>;
	delete(threadId: ThreadId): Promise<void>;
	providerSession(threadId: ThreadId, providerId: ProviderId): Promise<ProviderSession | undefined>;
	/** undefined forgets it. */
	saveProviderSession(threadId: ThreadId, providerId: ProviderId, session: ProviderSession | undefined): Promise<void>;
}

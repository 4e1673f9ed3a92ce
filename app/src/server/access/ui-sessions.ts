import { createHash, randomBytes } from "node:crypto";

/** How long a printed link is valid. It can be used once, even if another app has taken over or the app was restarted in the meantime. */
const KEY_MS = 10 * 60_000;
/** How long a browser's session lasts. */
export const SESSION_MS = 30 * 24 * 60 * 60_000;
/** The maximum number of unused links. Beyond it, the oldest are dropped. */
const MAX_KEYS = 20;

/**
 * Stores links and sessions across restarts. Only their hashes are stored, so that reading the file does not give access. Times are in
 * milliseconds since 1970.
 */
export interface SessionStore {
	/** Stores a link, and drops expired ones and the oldest above `atMost`. */
	addLink(hash: string, link: { readonly expiresAt: number; readonly now: number; readonly atMost: number }): void;
	/** Drops a link. False if it was used, has expired or does not exist. */
	takeLink(hash: string, now: number): boolean;
	addSession(hash: string, expiresAt: number, now: number): void;
	hasSession(hash: string, now: number): boolean;
}

/** Creates browser sessions: a one-time key from the terminal becomes a session, identified by a cookie. */
export class UiSessions {
	readonly #store: SessionStore;
	readonly #now: () => number;

	constructor(store: SessionStore, now: () => number = Date.now) {
		this.#store = store;
		this.#now = now;
	}

	/** Creates a key for `GET /open/<key>`, which works once, within 10 minutes. */
	mintKey(): string {
		const key = randomSecret();
		const now = this.#now();
		this.#store.addLink(hashOf(key), { expiresAt: now + KEY_MS, now, atMost: MAX_KEYS });
		return key;
	}

	/** Exchanges a key for a session. Undefined for a key that was used, has expired or does not exist. */
	redeem(key: string): string | undefined {
		const now = this.#now();
		if (!this.#store.takeLink(hashOf(key), now)) return undefined;
		const session = randomSecret();
		this.#store.addSession(hashOf(session), now + SESSION_MS, now);
		return session;
	}

	/** The session is looked up by its hash, so that timing reveals nothing about the 256-bit secret. */
	allows(session: string): boolean {
		return this.#store.hasSession(hashOf(session), this.#now());
	}
}

function randomSecret(): string {
	return randomBytes(32).toString("base64url");
}

function hashOf(secret: string): string {
	return createHash("sha256").update(secret).digest("hex");
}

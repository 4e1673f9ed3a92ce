import { createHash, randomBytes } from "node:crypto";

/** How long a printed link may be used, once. */
const KEY_MS = 10 * 60_000;
/** How long a browser stays let in. */
export const SESSION_MS = 30 * 24 * 60 * 60_000;
/** Unused links; the oldest are dropped. */
const MAX_KEYS = 20;

/** Keeps sessions over a restart: only their hashes, so that who reads the file cannot use them. */
export interface SessionStore {
	addSession(hash: string, expiresAt: number, now: number): void;
	hasSession(hash: string, now: number): boolean;
}

/** Lets browsers in: a one-time key from the terminal becomes a session, which a cookie carries. */
export class UiSessions {
	readonly #store: SessionStore;
	readonly #now: () => number;
	readonly #keys = new Map<string, number>();

	constructor(store: SessionStore, now: () => number = Date.now) {
		this.#store = store;
		this.#now = now;
	}

	/** A key for `GET /open/<key>`: works once, within 10 minutes. */
	mintKey(): string {
		const key = randomSecret();
		this.#keys.set(hashOf(key), this.#now() + KEY_MS);
		for (const oldest of this.#keys.keys()) {
			if (this.#keys.size <= MAX_KEYS) break;
			this.#keys.delete(oldest);
		}
		return key;
	}

	/** The session of a key that was not used yet; undefined for any other. */
	redeem(key: string): string | undefined {
		const hash = hashOf(key);
		const expiresAt = this.#keys.get(hash);
		this.#keys.delete(hash);
		const now = this.#now();
		if (expiresAt === undefined || expiresAt <= now) return undefined;
		const session = randomSecret();
		this.#store.addSession(hashOf(session), now + SESSION_MS, now);
		return session;
	}

	/** Looked up by hash, whose timing reveals nothing about a 256-bit secret. */
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

import { limits } from "@xworkmate/contracts";

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

interface Window {
	readonly since: number;
	failed: number;
}

/**
 * Counts failed authentications by address. Only requests without the right token are refused: if the right token were refused too, any
 * program on this machine could lock the user out. Only the token's length prevents guessing, so a generated one is 32 random bytes.
 */
export class AuthFailures {
	readonly #windows = new Map<string, Window>();
	readonly #now: () => number;

	constructor(now: () => number) {
		this.#now = now;
	}

	/** Counts one failure; false if the address has had too many of them within a minute. */
	count(address: string): boolean {
		const window = this.#window(address);
		if (window.failed >= limits.failedAuthPerMinute) return false;
		window.failed++;
		this.#windows.set(address, window);
		const oldest = this.#windows.keys().next().value;
		if (this.#windows.size > MAX_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest);
		return true;
	}

	#window(address: string): Window {
		const now = this.#now();
		const window = this.#windows.get(address);
		if (window !== undefined && now - window.since < WINDOW_MS) return window;
		this.#windows.delete(address);
		return { since: now, failed: 0 };
	}
}

import { limits } from "@xworkmate/contracts";

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

interface Window {
	readonly since: number;
	/** Requests with a wrong token. */
	wrong: number;
	/** Requests without one. */
	missing: number;
}

/**
 * Counts failed authentications by address. Wrong tokens stop every token of that address for the
 * rest of the minute, since else guessing would go on; requests without one stop only each other,
 * or a web page could lock the person out.
 */
export class AuthFailures {
	readonly #windows = new Map<string, Window>();
	readonly #now: () => number;

	constructor(now: () => number) {
		this.#now = now;
	}

	isBlocked(address: string, hasToken: boolean): boolean {
		const { wrong, missing } = this.#window(address);
		return (hasToken ? wrong : wrong + missing) >= limits.failedAuthPerMinute;
	}

	count(address: string, hasToken: boolean): void {
		const window = this.#window(address);
		if (hasToken) window.wrong++;
		else window.missing++;
		this.#windows.set(address, window);
		const oldest = this.#windows.keys().next().value;
		if (this.#windows.size > MAX_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest);
	}

	#window(address: string): Window {
		const now = this.#now();
		const window = this.#windows.get(address);
		if (window !== undefined && now - window.since < WINDOW_MS) return window;
		this.#windows.delete(address);
		return { since: now, wrong: 0, missing: 0 };
	}
}

import { setTimeout as delay } from "node:timers/promises";
import type { Requests } from "../../server/requests.ts";

/** How often the app's use is checked within `idleMs`. For ten minutes, that is every half minute. */
const LOOKS = 20;
const LOOK_AT_MOST_EVERY_MS = 30_000;

export interface UntilIdleOptions {
	readonly requests: Pick<Requests, "quietMs">;
	/** Called only after `idleMs` without a request. */
	readonly hasWork: () => Promise<boolean>;
	/** How long the app must be unused, in milliseconds. */
	readonly idleMs: number;
	readonly signal: AbortSignal;
}

/** Settles once no client has asked for anything for `idleMs` and there is no work; rejects if `signal` is aborted first. */
export async function untilIdle({ requests, hasWork, idleMs, signal }: UntilIdleOptions): Promise<void> {
	const everyMs = Math.min(idleMs / LOOKS, LOOK_AT_MOST_EVERY_MS);
	// Work counts as use: once it has been found, the full `idleMs` has to pass again.
	let workedAt = performance.now();
	for (;;) {
		await delay(everyMs, undefined, { ref: false, signal });
		if (Math.min(requests.quietMs, performance.now() - workedAt) < idleMs) continue;
		if (!(await hasWork())) return;
		workedAt = performance.now();
	}
}

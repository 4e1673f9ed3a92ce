import { setTimeout as delay } from "node:timers/promises";
import type { Requests } from "../../server/requests.ts";

/** An app that is to end after ten minutes looks each half minute whether it is used. */
const LOOKS = 20;
const LOOK_AT_MOST_EVERY_MS = 30_000;

export interface UntilIdleOptions {
	readonly requests: Pick<Requests, "quietMs">;
	/** Asked only after `idleMs` without a request. */
	readonly hasWork: () => Promise<boolean>;
	/** How long nothing may have used the app, in milliseconds. */
	readonly idleMs: number;
	readonly signal: AbortSignal;
}

/** Settles once no client has asked for anything and there was no work, both for `idleMs`; never if `signal` is aborted before. */
export async function untilIdle({ requests, hasWork, idleMs, signal }: UntilIdleOptions): Promise<void> {
	const everyMs = Math.min(idleMs / LOOKS, LOOK_AT_MOST_EVERY_MS);
	// Work that was found is as good as a use: it ends some time after, and then the whole time begins.
	let workedAt = performance.now();
	for (;;) {
		await delay(everyMs, undefined, { ref: false, signal });
		if (Math.min(requests.quietMs, performance.now() - workedAt) < idleMs) continue;
		if (!(await hasWork())) return;
		workedAt = performance.now();
	}
}

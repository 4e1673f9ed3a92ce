import { setTimeout as delay } from "node:timers/promises";
import { isDiskFull } from "./ports/disk-full.ts";
import type { BridgeStore } from "./store/bridge-store.ts";

const TRY_EVERY_MS = 500;

/**
 * The store, in which what a run in progress writes beside its log waits for a full disk as the log does: the run goes
 * on when there is space. What a caller asks for is refused at once instead, so that he is answered.
 */
export function waitForSpace(store: BridgeStore): BridgeStore {
	const { processes, sessions } = store;
	return {
		...store,
		processes: {
			...processes,
			add: (entry) => whenSpace(() => processes.add(entry)),
			// An entry that stays is of a process that is gone, which the next start sees; the end of this one must not wait for it.
			remove: (pid) => unlessFull(() => processes.remove(pid)),
		},
		sessions: {
			...sessions,
			saveProviderSession: (threadId, providerId, session) => whenSpace(() => sessions.saveProviderSession(threadId, providerId, session)),
		},
	};
}

async function whenSpace(write: () => Promise<void>): Promise<void> {
	for (;;) {
		try {
			return await write();
		} catch (error) {
			if (!isDiskFull(error)) throw error;
			await delay(TRY_EVERY_MS, undefined, { ref: false });
		}
	}
}

async function unlessFull(write: () => Promise<void>): Promise<void> {
	try {
		await write();
	} catch (error) {
		if (!isDiskFull(error)) throw error;
	}
}

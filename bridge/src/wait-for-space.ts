import { setTimeout as delay } from "node:timers/promises";
import { isDiskFull } from "./ports/disk-full.ts";
import type { BridgeStore } from "./store/bridge-store.ts";

const TRY_EVERY_MS = 500;

/**
 * Wraps the store so that writes for a run in progress wait for space on a full disk, as the log does. Requests from a caller are refused
 * at once, so that the caller gets an answer.
 */
export function waitForSpace(store: BridgeStore): BridgeStore {
	const { processes, sessions } = store;
	return {
		...store,
		processes: {
			...processes,
			add: (entry) => whenSpace(() => processes.add(entry)),
			// The next start detects that a remaining entry belongs to a dead process, so the end of a process need not wait for disk space.
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

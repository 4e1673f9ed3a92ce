import type { RunId, ThreadId } from "@xworkmate/contracts";

/** Deletes the records of threads, in parts: a long thread must not block others. */
export interface ThreadDeletion {
	/** True while a run of the thread has no terminal event. */
	isBusy(threadId: ThreadId): Promise<boolean>;
	/** True while a plan that works in the thread is neither over nor deleted. */
	hasPlan(threadId: ThreadId): Promise<boolean>;
	/** The users' folders that the thread's runs worked in. */
	projectDirectories(threadId: ThreadId): Promise<readonly string[]>;
	/** From here on, durably, every read answers as if the thread's runs, approvals and files did not exist. */
	hide(threadId: ThreadId): Promise<void>;
	/** Threads that were hidden and not yet removed: the bridge ended while it deleted them. */
	hidden(): Promise<readonly ThreadId[]>;
	/**
	 * Removes a hidden thread's runs with all that belongs to them, and at last its session. `removeFiles` is called for each run before its
	 * records are removed.
	 * Returns how many runs there were. If it is interrupted, the thread stays hidden, and a repeat continues.
	 * @throws the signal's reason
	 */
	remove(threadId: ThreadId, removeFiles: (runId: RunId) => Promise<void>, signal?: AbortSignal): Promise<number>;
}

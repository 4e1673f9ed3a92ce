import type { RunId, ThreadId } from "@xworkmate/contracts";

/** Deletes the records of threads, in parts, so that a long thread does not block others. */
export interface ThreadDeletion {
	/** True while a run of the thread has not ended. */
	isBusy(threadId: ThreadId): Promise<boolean>;
	/** True while a plan that works in the thread is not over, or was deleted but has an open occurrence. */
	hasPlan(threadId: ThreadId): Promise<boolean>;
	/** The users' folders that the thread's runs worked in. */
	projectDirectories(threadId: ThreadId): Promise<readonly string[]>;
	/** Hides the thread: from now on, every read answers as if its runs, approvals and files did not exist. Durable once this resolves. */
	hide(threadId: ThreadId): Promise<void>;
	/** Threads that were hidden but not removed, because the bridge ended while it was deleting them. */
	hidden(): Promise<readonly ThreadId[]>;
	/**
	 * Removes a hidden thread's runs with everything that belongs to them, and finally its session. `removeFiles` is called for each run
	 * before its records are removed. Returns how many runs there were. If it is interrupted, the thread stays hidden, and a repeat
	 * continues.
	 * @throws the signal's reason
	 */
	remove(threadId: ThreadId, removeFiles: (runId: RunId) => Promise<void>, signal?: AbortSignal): Promise<number>;
}

import type { ThreadId } from "@xworkmate/contracts";

/** A thread that a search found. */
export interface FoundThread {
	readonly threadId: ThreadId;
	/** The text around the first match. */
	readonly excerpt: string;
}

export interface FoundThreads {
	readonly threads: readonly FoundThread[];
	/** True if the search stopped at the most threads that it returns, so other threads may contain the text too. */
	readonly isFull: boolean;
}

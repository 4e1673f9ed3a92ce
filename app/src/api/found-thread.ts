import type { ThreadId } from "@xworkmate/contracts";

/** A thread that a search found. */
export interface FoundThread {
	readonly threadId: ThreadId;
	/** The text around the first match. */
	readonly excerpt: string;
}

import type { Timestamp, Usage } from "@xworkmate/contracts";

/** A run that has ended, and the last figures that its agent reported. */
export interface UsedRun {
	readonly endedAt: Timestamp;
	readonly providerId?: string;
	readonly usage: Usage;
	/** The cost of the conversation before this run, if it was reported. */
	readonly costBefore?: number;
}

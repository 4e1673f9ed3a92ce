/** What the runs that ended on one day used, as their agents reported it. */
export interface UsageDay {
	/** By this computer's calendar, "2026-11-23". */
	readonly day: string;
	/** Runs of agents; Script uses no model and is not counted. */
	readonly runs: number;
	/** How many of them reported tokens, and the sums. */
	readonly tokenRuns: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** How many of them reported a cost, and the sum. */
	readonly costRuns: number;
	readonly costUsd: number;
	/** How many reported neither. */
	readonly silentRuns: number;
}

/** What the runs that ended on one day used, as reported by their agents. */
export interface UsageDay {
	/** A date in this computer's time zone: "2026-11-23". */
	readonly day: string;
	/** The number of runs of agents. Runs of Script use no model and are not counted. */
	readonly runs: number;
	/** How many of these runs reported tokens, and the sums. */
	readonly tokenRuns: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** How many of these runs reported a cost, and the sum. */
	readonly costRuns: number;
	readonly costUsd: number;
	/** The other currencies in which runs reported a cost. Such costs are not summed. */
	readonly otherCurrencies: readonly string[];
	/** How many of these runs reported neither tokens nor a cost. */
	readonly silentRuns: number;
}

import type { OpenClawParams } from "@xworkmate/contracts";

/** State of a run that is kept only in memory. It includes the app's context, which must never be written to disk. */
export interface LiveRun {
	readonly hold: OpenClawParams<"xworkmate.session.prepare">["hold"];
	readonly context?: string;
	readonly earlier?: OpenClawParams<"xworkmate.session.prepare">["earlier"];
	/** Ids of tool calls that were denied. */
	readonly refused: Set<string>;
	/** The whole text of its latest message so far. */
	latestText: string;
}

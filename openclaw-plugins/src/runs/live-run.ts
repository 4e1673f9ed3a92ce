import type { OpenClawParams } from "@xworkmate/contracts";

/** What is kept of a run in memory only: the app's context is never written to disk. */
export interface LiveRun {
	readonly hold: OpenClawParams<"xworkmate.session.prepare">["hold"];
	readonly context?: string;
	readonly earlier?: OpenClawParams<"xworkmate.session.prepare">["earlier"];
	/** Ids of tool calls that did not happen. */
	readonly refused: Set<string>;
	/** The whole of its latest message so far. */
	latestText: string;
}

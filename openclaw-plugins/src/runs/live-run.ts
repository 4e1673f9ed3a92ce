import type { OpenClawParams } from "@xworkmate/contracts";

/** What is known of a run in this life of the gateway only: the app's context stays off the disk. */
export interface LiveRun {
	readonly hold: OpenClawParams<"xworkmate.session.prepare">["hold"];
	readonly context?: string;
	readonly earlier?: OpenClawParams<"xworkmate.session.prepare">["earlier"];
	/** Ids of tool calls that did not happen. */
	readonly refused: Set<string>;
	/** The whole of its latest message so far. */
	latestText: string;
}

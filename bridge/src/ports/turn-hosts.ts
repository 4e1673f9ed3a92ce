import type { Origin, ToolCallId } from "@xworkmate/contracts";
import type { ToolHosts } from "./tool-hosts.ts";

/** What a person said in a chat, as far as a tool may go by it. The same whenever the turn is taken up again. */
export interface TurnWords {
	/** The person's newest message alone. */
	readonly prompt: string;
	/** Their messages before it, oldest first. */
	readonly earlier: readonly string[];
	/** When the newest was said, in milliseconds since the epoch. */
	readonly saidAt: number;
	/** Where it was said; absent: in an app. */
	readonly origin?: Origin;
	/** True if the person was shown exactly these words of a call when it was asked about. */
	wasShown(toolCallId: ToolCallId, words: string): boolean;
}

/** The tools of one turn: those that there are anyway, and those that go by what was said in it. */
export type HostsOfTurn = (hosts: ToolHosts, turn: TurnWords) => ToolHosts;

import type { Origin, ToolCallId } from "@xworkmate/contracts";
import type { ToolHosts } from "./tool-hosts.ts";

/** What the user said in a chat, as far as tools may rely on it. The values are the same whenever the turn is resumed. */
export interface TurnWords {
	/** The user's newest message only. */
	readonly prompt: string;
	/** The user's messages before it, oldest first. */
	readonly earlier: readonly string[];
	/** When the newest message was sent, in milliseconds since the epoch. */
	readonly saidAt: number;
	/** Where the newest message was sent from. Absent if it was sent from an app. */
	readonly origin?: Origin;
	/** True if the user was shown exactly these words when asked about the call. */
	wasShown(toolCallId: ToolCallId, words: string): boolean;
}

/** The tools of one turn: those that are always available, and those that depend on what was said in it. */
export type HostsOfTurn = (hosts: ToolHosts, turn: TurnWords) => ToolHosts;

import type { Diff, Location, Notice, PlanEntry, Preview, ToolCallId, ToolCallState, ToolKind, Usage } from "@xworkmate/contracts";

/** One update of a tool call; an absent field keeps its earlier value. */
export interface ToolCallChange {
	readonly toolCallId: ToolCallId;
	readonly title?: string;
	readonly toolKind?: ToolKind;
	readonly state?: Exclude<ToolCallState, "denied">;
	/** True if the report shows an exit status, which means that the call has run. */
	readonly hasExited?: true;
	readonly input?: ToolInput;
	/** The whole content as text, for agents that put a proposed change there and send no input. */
	readonly content?: string;
	readonly output?: Preview;
	readonly diff?: Diff[];
	/** True if the report showed more changes than `diff` has. */
	readonly lacksDiffs?: true;
	readonly locations?: Location[];
}

export interface ToolInput {
	readonly preview: Preview;
	/** The whole input as text, for the hash that a decision is bound to. */
	readonly whole: string;
	/** The command line in the input, if there is one. */
	readonly command?: string;
}

/**
 * One update of an agent, validated. Plans, notices and the shown parts of calls are limited in size; messages, thoughts and whole inputs
 * are not.
 */
export type AgentUpdate =
	| { readonly kind: "message"; readonly text: string; readonly agentMessageId?: string }
	| { readonly kind: "thought"; readonly text: string; readonly agentMessageId?: string }
	| { readonly kind: "tool"; readonly change: ToolCallChange }
	| { readonly kind: "plan"; readonly entries: PlanEntry[] }
	| { readonly kind: "usage"; readonly usage: Usage }
	| { readonly kind: "notice"; readonly notice: Notice }
	/**
	 * An update that is known to the protocol but not shown, unknown, or malformed. `isUnreadable`: updates of its kind may show something,
	 * but this one could not be read.
	 */
	| { readonly kind: "ignored"; readonly name: string; readonly isUnreadable?: true };

import type { DenyReason, PolicyDecision, Sha256, ToolCallId } from "@xworkmate/contracts";
import type { RunRecord } from "../runs/run-record.ts";
import type { TypedTool } from "./tool-hosts.ts";

/** A typed call that is about to start. */
export interface CallQuestion {
	readonly run: RunRecord;
	readonly tool: TypedTool;
	/** The tool's own policy for this call. Absent if it has none. */
	readonly own?: PolicyDecision | "failed";
	/** The size of the input's canonical JSON. */
	readonly inputBytes: number;
}

/** `by`: `policy`, `person` (the user's rule), `run` (its override), `window:<approvalId>`, or `bridge` if the user can't be asked. */
export type CallAnswer =
	| { readonly decision: "allow"; readonly by: string }
	| { readonly decision: "ask"; readonly mayWindow: boolean }
	| { readonly decision: "deny"; readonly by: string; readonly reason: DenyReason };

export type CallDenial = Extract<CallAnswer, { decision: "deny" }>;

/** Decides which typed calls may start. */
export interface CallPolicy {
	/** Changes whenever a rule of the user changes. An approval records it. */
	readonly version: string;
	/**
	 * The first of these that applies decides: any deny; unaccepted code, or a tool that always needs approval; the run; the user's rule; the
	 * tool; its risk. A grant turns `ask` into `allow`, except for such code or such a tool.
	 */
	answer(question: CallQuestion): Promise<CallAnswer>;
	/**
	 * Decides again right before the call starts, in the same step. `allowedBy`: the `by` of the answer that allowed it. A grant that was
	 * revoked in the meantime no longer allows it.
	 */
	denial(question: CallQuestion, allowedBy?: string): CallDenial | undefined;
}

/** A typed call that the user is asked about. */
export interface CallRequest {
	readonly toolCallId: ToolCallId;
	readonly tool: TypedTool;
	/** What the call would do, in the tool's words. */
	readonly words: string;
	/** The whole input, as parsed by the tool's schema. */
	readonly input: unknown;
	readonly inputHash: Sha256;
	/** True if the user may allow the tool for a limited time. */
	readonly mayWindow: boolean;
	/** The version of the policy that requires approval. */
	readonly policyVersion: string;
}

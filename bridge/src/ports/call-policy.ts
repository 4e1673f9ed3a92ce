import type { DenyReason, PolicyDecision, Sha256, ToolCallId } from "@xworkmate/contracts";
import type { RunRecord } from "./run-record.ts";
import type { TypedTool } from "./tool-hosts.ts";

/** A typed call that wants to start. */
export interface CallQuestion {
	readonly run: RunRecord;
	readonly tool: TypedTool;
	/** What the tool says about this call; absent: nothing. */
	readonly own?: PolicyDecision | "failed";
	/** Of the input's canonical JSON. */
	readonly inputBytes: number;
}

/** `by`: `policy`, `person` (the user's rule), `run` (its override) or `window:<approvalId>`. */
export type CallAnswer =
	| { readonly decision: "allow"; readonly by: string }
	| { readonly decision: "ask"; readonly mayWindow: boolean }
	| { readonly decision: "deny"; readonly by: string; readonly reason: DenyReason };

export type CallDenial = Extract<CallAnswer, { decision: "deny" }>;

/** Decides which typed calls may start. */
export interface CallPolicy {
	/** Differs whenever a rule of the user differs; an approval names it. */
	readonly version: string;
	/** The first that speaks: any deny, code that is not accepted, the run, the user, the tool, its risk; a window turns ask into allow. */
	answer(question: CallQuestion): Promise<CallAnswer>;
	/**
	 * Asked again at the gate, in the same step in which the call starts. `allowedBy`: the `by` of the answer that allowed it; a window that
	 * was revoked since then allows nothing.
	 */
	denial(question: CallQuestion, allowedBy?: string): CallDenial | undefined;
}

/** A typed call that the user is asked about. */
export interface CallRequest {
	readonly toolCallId: ToolCallId;
	readonly tool: TypedTool;
	/** What the tool says that the call would do. */
	readonly words: string;
	/** The whole input, as the tool's schema reads it. */
	readonly input: unknown;
	readonly inputHash: Sha256;
	/** A temporary permission may be given. */
	readonly mayWindow: boolean;
	/** The version of the policy that requires the question. */
	readonly policyVersion: string;
}

import type { DenyReason, PolicyDecision } from "@xworkmate/contracts";
import type { RunRecord } from "./run-record.ts";
import type { TypedTool } from "./tool-hosts.ts";

/** A typed call that wants to start. */
export interface CallQuestion {
	readonly run: RunRecord;
	readonly tool: TypedTool;
	/** What the tool says of this call; absent: nothing. */
	readonly own?: PolicyDecision | "failed";
	/** Of the input's canonical JSON. */
	readonly inputBytes: number;
}

export type CallAnswer =
	/** `by`: `policy`, `person` (the user's rule), `run`, `configuration:<what>` or `window:<approvalId>`. */
	| { readonly decision: "allow"; readonly by: string }
	| { readonly decision: "ask"; readonly mayWindow: boolean }
	| { readonly decision: "deny"; readonly by: string; readonly reason: DenyReason };

/** Decides which typed calls may start. */
export interface CallPolicy {
	/** Differs whenever a rule of the user differs; an approval names it. */
	readonly version: string;
	/** The first that speaks: any deny, code that is not accepted, the run, the user, the tool, its risk; a window turns ask into allow. */
	answer(question: CallQuestion): Promise<CallAnswer>;
	/** Asked again at the gate, in the same step in which the call starts. */
	denial(question: CallQuestion): Extract<CallAnswer, { decision: "deny" }> | undefined;
}

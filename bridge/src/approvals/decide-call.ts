import type { ApprovalId, DenyReason, PolicyDecision } from "@xworkmate/contracts";
import type { CallAnswer, CallDenial } from "../ports/tools/call-policy.ts";
import type { TypedTool } from "../ports/tools/tool-hosts.ts";

/** The largest input of a call that may start, as canonical JSON. */
export const INPUT_BYTES = 1024 * 1024;
/** How many typed calls of all runs together may wait for the user. */
export const WAITING_CALLS = 1_000;

/** Everything that decides whether a typed call may start. */
export interface CallFacts {
	readonly tool: Pick<TypedTool, "isAccepted" | "risk" | "policy" | "mayWindow" | "isAlwaysAsked">;
	/** The tool's own policy for this call. */
	readonly own?: PolicyDecision | "failed" | undefined;
	/** The decision that the sender of the run set for this tool. */
	readonly run?: PolicyDecision | undefined;
	/** The rule that the user set for this tool. */
	readonly rule?: PolicyDecision | undefined;
	/** A grant in force that covers the call. */
	readonly window?: ApprovalId | undefined;
	/** True if no user is available to answer. */
	readonly isUnattended: boolean;
	/** The size of the input's canonical JSON. */
	readonly inputBytes: number;
	/** How many calls are already waiting for the user. */
	readonly waiting: number;
}

/**
 * Whether a typed call may start. Any `deny` wins, as does an input that is too large, or a tool's policy that failed. Otherwise the first
 * of these that says anything decides: code that the user has not accepted, the run, the user's rule, the tool, its risk. A grant only
 * turns `ask` into `allow`, and never covers code that the user has not accepted. Without a grant, `ask` becomes a denial in an unattended
 * run and if too many calls wait. Such a denial is recorded as the bridge's, because no rule caused it. Pure.
 */
export function decideCall(facts: CallFacts): CallAnswer {
	const denial = denialOf(facts);
	if (denial !== undefined) return denial;
	const { window, isUnattended, waiting } = facts;
	// A tool that always has to be asked about is treated like code that the user has not accepted.
	const tool = facts.tool.isAlwaysAsked === true ? { ...facts.tool, isAccepted: false } : facts.tool;
	const allowed = tool.isAccepted ? allowedBy(facts) : undefined;
	if (allowed !== undefined) return { decision: "allow", by: allowed };
	if (tool.isAccepted && window !== undefined) return { decision: "allow", by: `window:${window}` };
	if (isUnattended) return deny("bridge", "unattended");
	if (waiting >= WAITING_CALLS) return deny("bridge", "too_many_waiting");
	return { decision: "ask", mayWindow: tool.isAccepted && tool.mayWindow };
}

/** What denies a call, no matter what allows it. Pure. */
export function denialOf({
	tool,
	own,
	run,
	rule,
	inputBytes,
}: Omit<CallFacts, "window" | "isUnattended" | "waiting">): CallDenial | undefined {
	if (inputBytes > INPUT_BYTES) return deny("policy", "input_too_large");
	if (run === "deny") return deny("run", "policy");
	if (rule === "deny") return deny("person", "policy");
	if (own === "failed") return deny("policy", "policy_failed");
	return own === "deny" || tool.policy === "deny" ? deny("policy", "policy") : undefined;
}

function deny(by: string, reason: DenyReason): CallDenial {
	return { decision: "deny", by, reason };
}

/**
 * Who allows the call; undefined if the user has to be asked. If the run has an override, the user's rule does not apply, and so on down
 * the order.
 */
function allowedBy({ tool, own, run, rule }: CallFacts): "run" | "person" | "policy" | undefined {
	const said = [
		["run", run],
		["person", rule],
		["policy", own ?? tool.policy],
		["policy", tool.risk === "read" ? "allow" : "ask"],
	] as const;
	const first = said.find(([, decision]) => decision !== undefined);
	return first?.[1] === "allow" ? first[0] : undefined;
}

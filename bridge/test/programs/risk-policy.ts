import type { PolicyDecision } from "@xworkmate/contracts";
import type { CallAnswer, CallPolicy, CallQuestion } from "../../src/ports/tools/call-policy.ts";

/** Reads are allowed, the rest is asked, unless the test has a rule. */
export class RiskPolicy implements CallPolicy {
	readonly version = "1";
	readonly rules = new Map<string, PolicyDecision>();
	asked = 0;

	async answer(question: CallQuestion): Promise<CallAnswer> {
		this.asked++;
		const { tool, own } = question;
		const denied = this.denial(question);
		if (denied !== undefined) return denied;
		if (tool.isAlwaysAsked === true || !tool.isAccepted) return { decision: "ask", mayWindow: false };
		const decision = this.rules.get(tool.method) ?? own ?? (tool.risk === "read" ? "allow" : "ask");
		if (decision === "allow") return { decision, by: this.rules.has(tool.method) ? "person" : "policy" };
		return { decision: "ask", mayWindow: true };
	}

	denial({ tool, own, inputBytes }: CallQuestion): Extract<CallAnswer, { decision: "deny" }> | undefined {
		if (inputBytes > 2 ** 20) return { decision: "deny", by: "policy", reason: "input_too_large" };
		if (own === "failed") return { decision: "deny", by: "policy", reason: "policy_failed" };
		return (this.rules.get(tool.method) ?? own) === "deny" ? { decision: "deny", by: "person", reason: "policy" } : undefined;
	}
}

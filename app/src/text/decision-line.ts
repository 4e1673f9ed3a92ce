import type { ReceiptDecision } from "@xworkmate/contracts";
import { decisionWords, denyWords } from "../strings/call-words.ts";
import { fill } from "../strings/interface.ts";

/** As a receipt or an approval records it; `reason` only of a denial. */
export type Decided = Pick<ReceiptDecision, "decision" | "by" | "reason">;

/** "Allowed once by you", "Denied by your rule". Names in it come from outside: the caller makes them visible. */
export function decisionLine({ decision, by, reason }: Decided): string {
	if (decision === "deny") return fill(denyWords[reason ?? "person"].title, { who: whoOf(by), rule: ruleOf(by) });
	if (by.startsWith("window:")) return decisionWords.byWindow;
	if (decision === "allow") return fill(decisionWords.byRule, { rule: ruleOf(by) });
	return fill(decisionWords[decision], { who: whoOf(by) });
}

function whoOf(by: string): string {
	if (by === "person") return decisionWords.you;
	if (by === "gateway") return decisionWords.onGateway;
	return by.startsWith("discord:") ? fill(decisionWords.onDiscord, { name: by.slice("discord:".length) }) : by;
}

function ruleOf(by: string): string {
	const { person, run, configuration, tool } = decisionWords.rules;
	if (by === "person") return person;
	if (by === "run") return run;
	return by.startsWith("configuration:") ? configuration : tool;
}

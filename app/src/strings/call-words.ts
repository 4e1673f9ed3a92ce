import type { DenyReason, Risk } from "@xworkmate/contracts";

/** What a call may do: the word beside its tool, and the verb of its request. Ours, so that no tool words its own risk. */
export const riskWords: Readonly<Record<Risk, { readonly word: string; readonly ask: string }>> = {
	read: { word: "Read", ask: "read something" },
	write: { word: "Write", ask: "make a change" },
	destructive: { word: "Destructive", ask: "delete or overwrite something" },
};

/** Why a call was denied, and what to do about it. */
export const denyWords: Readonly<Record<DenyReason, { readonly title: string; readonly next: string }>> = {
	person: { title: "Denied by {who}", next: "Ask again" },
	policy: { title: "Denied by {rule}", next: "Change the rule in Tools" },
	policy_failed: { title: "Denied: the tool’s own rule failed", next: "Look at the tool in Tools" },
	expired: { title: "Expired: nobody answered in time", next: "Ask again" },
	withdrawn: { title: "Withdrawn: the run was stopped", next: "Ask again" },
	unattended: { title: "Denied: nobody was there to ask", next: "Run it with you there" },
	tool_changed: { title: "Nothing was run: the tool changed", next: "Ask again" },
	input_too_large: { title: "Denied: the input is over 1 MiB", next: "Ask for less" },
	too_many_waiting: { title: "Denied: too many requests are open", next: "Answer some first" },
};

/** Who allowed or denied a call. */
export const decisionWords = {
	allow_once: "Allowed once by {who}",
	allow_window: "Allowed for 15 minutes by {who}",
	byWindow: "Allowed by your 15-minute permission",
	byRule: "Allowed by {rule}",
	you: "you",
	onDiscord: "{name} on Discord",
	onGateway: "someone on the OpenClaw gateway",
	/** By who is recorded: the user's own rule, the run's, the configuration; otherwise the tool's. */
	rules: { person: "your rule", run: "this run’s rule", configuration: "your settings", tool: "the tool’s rule" },
} as const;

/** The request of a typed call. */
export const callWords = {
	toolSays: "The tool says:",
	noWords: "The tool doesn’t describe this call. Look at the whole input.",
	whole: "Whole input",
	hash: "Input hash",
	version: "Tool version",
	unaccepted: "You haven’t accepted this version of the tool.",
	unacceptedSay: "Allowing this call runs its code once. It doesn’t accept the tool.",
	everyTime: "Asks every time",
	untilAccepted: "Asks until accepted",
} as const;

import type { ListedRequirement } from "./requirement.ts";

/** A1, OpenAssistant: sandboxed runs, tool contracts, approvals, receipts, grounding. */
export const openAssistant: readonly ListedRequirement[] = [
	{
		id: "A1-01",
		state: "later",
		behaviour:
			"Model-written TypeScript runs in a sandbox with one injected surface, tools.<integration>.<method>(input), which returns ok or err",
	},
	{ id: "A1-02", state: "later", behaviour: "Model code has no direct access to shell, network or processes" },
	{
		id: "A1-03",
		state: "later",
		behaviour:
			"Every tool method has an id (integration.resource.action), a risk (read, write, destructive), an approval rule and schemas for input and output",
	},
	{ id: "A1-04", state: "later", behaviour: "Policy returns one of allow, ask, deny" },
	{
		id: "A1-05",
		state: "later",
		behaviour: "On ask the run pauses until an explicit decision: allow once, deny, or a short-lived window",
	},
	{
		id: "A1-06",
		state: "later",
		behaviour:
			"Receipts are append-only and written for every tool interaction: requested, approved or denied, started, succeeded or failed",
	},
	{ id: "A1-07", state: "later", behaviour: "Receipts are the source of truth for what happened" },
	{
		id: "A1-08",
		state: "later",
		behaviour: "The relevant tool activity is derived from receipts by the system, not by the model",
	},
	{
		id: "A1-09",
		state: "later",
		behaviour: "The same activity summary goes to the model for the final response and to the person",
	},
	{
		id: "A1-10",
		state: "later",
		behaviour: "An activity item holds toolId, status (succeeded, failed, denied, pending), approval, time and a receipt reference",
	},
	{
		id: "A1-11",
		state: "later",
		behaviour:
			"Activity covers the current run, always its failed, denied and pending calls and its calls with side effects, optionally key reads",
	},
	{ id: "A1-12", state: "later", behaviour: "Statements about actions are based on the relevant tool activity" },
	{
		id: "A1-13",
		state: "later",
		behaviour: "Without a successful call for an intended action the response says that completion could not be verified",
	},
	{
		id: "A1-14",
		state: "later",
		behaviour: "People can write their own tools as defineTool() modules in a workspace directory",
	},
	{
		id: "A1-15",
		state: "later",
		behaviour: "The registry discovers and reloads workspace tools on a file change or an explicit reload",
	},
	{
		id: "A1-16",
		state: "later",
		behaviour: "A Claude setup-token can be pasted into an auth command and is stored as a token profile for anthropic",
	},
	{
		id: "A1-17",
		state: "later",
		behaviour: "The auth command validates the token's prefix and shape and makes the profile the preferred one for its provider",
	},
	{
		id: "A1-18",
		state: "later",
		behaviour:
			"Credentials are resolved in order: explicit override, profile order, environment (ANTHROPIC_OAUTH_TOKEN, then ANTHROPIC_API_KEY), then an error that says how to authenticate",
	},
	{ id: "A1-19", state: "later", behaviour: "Provider authentication is resolved once at the start of a run" },
	{
		id: "A1-20",
		state: "later",
		behaviour: "On a rate-limit, auth or billing failure the profile is marked with a cooldown and the next one is used",
	},
	{ id: "A1-21", state: "later", behaviour: "A profile rotation is recorded as a receipt or event" },
	{
		id: "A1-22",
		state: "later",
		behaviour: "Discord is the first operator surface: chat, approve and deny, links to receipts",
	},
	{ id: "A1-23", state: "later", behaviour: "A new integration is added as one folder, without changes to the core" },
	{
		id: "A1-24",
		state: "later",
		behaviour: "The core guarantees evidence of calls, not outcomes: a reminder is only done when an integration's success receipt exists",
	},
	{
		id: "A1-25",
		state: "later",
		behaviour: "A destructive action pauses for approval and logs the full receipt trail",
	},
	{ id: "A1-26", state: "later", behaviour: "A read that changes nothing runs by itself and logs its receipt trail" },
	{ id: "A1-27", state: "later", behaviour: "At least two integrations prove that they compose" },
];

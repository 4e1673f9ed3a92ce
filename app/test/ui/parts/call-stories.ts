import { type Activity, type Approval, ThreadId } from "@xworkmate/contracts";
import type { CallFacts } from "../../../src/ui/approvals/call-facts.ts";
import type { LiveRun } from "../../../src/ui/turn/activity-so-far.ts";
import {
	activityOf,
	INPUT,
	item,
	mixedActivity,
	OLD,
	receipt,
	reportedActivity,
	trailOf,
	typedCall,
	windowCall,
} from "../action-stories.ts";
import { STORY_NOW } from "./part-stories.ts";

export const STORY_THREAD = ThreadId.parse("story");
const expiresAt = new Date(Date.parse(STORY_NOW) + 872_000).toISOString();
const decidedAt = new Date(Date.parse(STORY_NOW) - 10_000).toISOString();

/** What the page knows of a call whose code was accepted. */
const facts: CallFacts = { isRead: true, input: INPUT, code: "accepted", again: () => undefined };

interface CallStory {
	readonly name: string;
	readonly approval: Approval;
	readonly facts?: CallFacts;
	readonly stays?: boolean;
	readonly answering?: "allow_once";
	readonly problem?: string;
}

export const callStories: readonly CallStory[] = [
	{ name: "destructive", approval: typedCall({ expiresAt }), facts },
	{ name: "write", approval: windowCall({ expiresAt }), facts },
	{ name: "read", approval: typedCall({ expiresAt, risk: "read", words: "List the events." }), facts: { ...facts, rule: "ask" } },
	{ name: "reading", approval: typedCall({ expiresAt }) },
	{ name: "not accepted", approval: windowCall({ expiresAt, options: ["allow_once", "deny"] }), facts: { ...facts, code: "unaccepted" } },
	{
		name: "unsure",
		approval: typedCall({ expiresAt }),
		facts: { isRead: true, inputProblem: "The bridge didn’t respond.", code: "unsure", again: () => undefined },
	},
	{
		name: "changed",
		approval: typedCall({ expiresAt, words: "Delete \u202Eeverything\u202C" }),
		facts: { ...facts, changed: { toolHash: OLD as NonNullable<CallFacts["changed"]>["toolHash"], at: decidedAt } },
	},
	{ name: "sending", approval: typedCall({ expiresAt }), facts, answering: "allow_once" },
	{ name: "not sent", approval: typedCall({ expiresAt }), facts, problem: "The bridge didn’t respond. Nothing was decided." },
	{
		name: "answered elsewhere",
		approval: typedCall({ expiresAt, state: "decided", decision: "allow_once", decidedBy: "discord:mira", decidedAt }),
		stays: true,
	},
	{
		name: "answered",
		approval: typedCall({ expiresAt, state: "decided", decision: "deny", decidedBy: "person", reason: "person", decidedAt }),
	},
	{ name: "expired", approval: typedCall({ expiresAt, state: "expired", reason: "expired", decidedAt }) },
	{ name: "withdrawn", approval: typedCall({ expiresAt, state: "withdrawn", reason: "withdrawn", decidedAt }) },
];

const liveStory: LiveRun = { asked: new Set(["call-2"]), started: new Set() };

export const activityStories: readonly { readonly name: string; readonly activity: Activity; readonly live?: LiveRun }[] = [
	{ name: "mixed", activity: mixedActivity },
	{
		name: "none",
		activity: activityOf([item("call-1", "denied", { code: "person", approval: { required: true, decision: "deny", by: "person" } })]),
	},
	{ name: "live", activity: activityOf([item("call-1", "succeeded"), item("call-2", "pending")]), live: liveStory },
	{ name: "cut", activity: activityOf([item("call-1", "succeeded")], { completed: 312, truncated: true }) },
	{ name: "reported", activity: reportedActivity },
];

export const trailStory = [
	...trailOf("call-1", 1),
	receipt(5, "unknown", { outcome: { attempt: 1, durationMs: 5_000, code: "OUTCOME_UNKNOWN" } }),
];

import { editsLine } from "../edits/edits-line.ts";
import { ApprovalId } from "../ids/ids.ts";
import { visibleWithin } from "../text/visible.ts";
import type { Contradiction, Unpermitted } from "../tools/tool-call.ts";
import { DenyReason } from "../tools/tool-id.ts";
import type { Activity, ActivityItem, ActivityStatus } from "./activity.ts";

const WORDS = 300;

const headings: readonly (readonly [ActivityStatus, string])[] = [
	["succeeded", "Done:"],
	["failed", "Not done:"],
	["denied", "Not done, because it was denied:"],
	["pending", "Not finished:"],
	["unknown", "Outcome unknown:"],
];

/** The words for a reported call: they say what the agent claims. */
const claims: Readonly<Record<ActivityStatus, string>> = {
	succeeded: "reported as done",
	failed: "reported as failed",
	denied: "denied",
	pending: "not finished yet",
	unknown: "outcome unknown",
};

const ASKED = "waiting for the user's answer";
const NOT_REPORTED = "the agent did not report how the call ended";

/** The words for a call that was made despite the decision about it, or before one; "reported as done" would hide that. */
const unpermittedClaims: Readonly<Record<Unpermitted, string>> = {
	denied: "denied, but the agent reports doing it anyway",
	found: "denied, but the file has changed since",
	unanswered: "the agent reports doing it without waiting for the answer",
	another: "but the agent reports something other than what was allowed",
};

/** The words for a report that the bridge found to be untrue; "reported as done" would hide that too. */
const contradictions: Readonly<Record<Contradiction, string>> = {
	not_found: "reported, but the file did not exist",
	still_there: "reported, but the file was still there",
	untouched: "reported, but the file had not changed",
	not_held: "reported, but the file did not contain the reported text",
};

const deciders: ReadonlyMap<string, string> = new Map([
	["person", "the user"],
	["policy", "the tool's rule"],
	["bridge", "the bridge"],
	["run", "this run's rule"],
	["gateway", "someone on the gateway"],
]);

/**
 * The activity as lines of plain text. Every word that a tool, a model or an agent wrote is quoted, on one line, with hidden characters
 * shown. Pure.
 * @param asked the calls that wait for the user's answer, which no receipt says of a call
 */
export function renderActivity(activity: Activity, asked: ReadonlySet<ActivityItem["toolCallId"]> = new Set()): readonly string[] {
	const { completed, counts, items, truncated, edits } = activity;
	const isAsked = ({ status, toolCallId }: ActivityItem) => status === "pending" && asked.has(toolCallId);
	const executed = items.filter(({ origin }) => origin === "executed");
	const reported = items.filter(({ origin }) => origin === "reported");
	// If the list was cut, a call that is not listed may be of any kind.
	const reads = truncated && reported.length > 0 ? 0 : counts.reported - reported.length;
	return [
		completed === 1 ? "1 action completed." : `${completed} actions completed.`,
		...headings.flatMap(([status, heading]) => {
			const lines = executed.filter((item) => item.status === status).map((item) => `  ${executedLine(item, isAsked(item))}`);
			return lines.length === 0 ? [] : [heading, ...lines];
		}),
		...(reported.length === 0
			? []
			: ["The agent's own calls, as it reported them:", ...reported.map((item) => `  ${reportedLine(item, isAsked(item))}`)]),
		...(reads > 0 ? [reportedReads(reads)] : []),
		...(edits === undefined ? [] : [editsLine(edits)]),
		...(truncated ? ["There is more than is listed here."] : []),
	];
}

function reportedReads(count: number): string {
	return `The agent also reported ${count === 1 ? "1 call that only reads" : `${count} calls that only read`}; ${count === 1 ? "it was" : "they were"} not checked.`;
}

/**
 * Why a call was denied if neither the user nor a rule denied it. Earlier bridges recorded an unanswered request as a denial by a policy.
 */
const denials: { readonly [Reason in DenyReason]?: string } = {
	policy_failed: "denied because the tool's own rule gave no valid answer",
	unattended: "denied because the run was unattended",
	tool_changed: "not run because the tool had changed",
	input_too_large: "denied because its input was larger than 1 MB",
	too_many_waiting: "denied because too many requests were open",
	expired: "not answered in time, so it was denied automatically",
	run_stopped: "not answered because the run was stopped",
	run_ended: "not answered before the run ended",
	bridge_stopped: "not answered because the bridge stopped",
	backup_restored: "not answered before the backup was made",
	withdrawn: "not answered because the request was withdrawn",
};

/** How a call was denied, if a few words are enough to say it. */
function denialOf({ status, code, approval }: ActivityItem): readonly string[] | undefined {
	// The agent asked for approval only after it had started the call.
	if (status === "failed" && code === "DENIED" && approval?.decision === "deny" && approval.by !== undefined)
		return [`denied by ${deciderWords(approval.by)} after it had started`];
	if (status !== "denied") return undefined;
	if (code === "person" && approval?.by !== undefined) return [`denied by ${deciderWords(approval.by)}`];
	if (code === "policy" && approval?.by !== undefined) return [`denied by ${ruleWords(approval.by)}`];
	const why = denials[DenyReason.safeParse(code).data ?? "person"];
	return why === undefined ? undefined : [why];
}

function executedLine(item: ActivityItem, isAsked: boolean): string {
	const facts = denialOf(item) ?? [isAsked ? ASKED : "", approvalWords(item), problemWords(item)];
	return [`${item.toolId} ${quotedWords(item.words)}`, ...facts, item.receiptRef].filter((part) => part !== "").join(", ");
}

function reportedLine(item: ActivityItem, isAsked: boolean): string {
	const stated = isAsked ? ASKED : claims[item.status];
	const found = item.contradiction === undefined ? stated : contradictions[item.contradiction];
	const claimed = item.code === "NOT_REPORTED" ? NOT_REPORTED : found;
	const { unpermitted, deniedCommand } = item;
	const contained = deniedCommand === undefined ? undefined : `${claimed}, although ${quotedWords(deniedCommand)} was denied`;
	// If another call was denied, no request was made for this one.
	const claim = contained ?? (unpermitted === undefined ? claimed : unpermittedClaims[unpermitted]);
	// The approval is named before the claim, because it was an approval of something else.
	const left = item.code === "NOT_REPORTED" ? NOT_REPORTED : "";
	const said = unpermitted === "another" ? [approvalWords(item), claim, swappedWords(item), left] : [claim, approvalWords(item)];
	const facts = denialOf(item) ?? [...said, problemWords(item)];
	return [`${item.toolId} ${quotedWords(item.words)}`, titleWords(item), ...facts, item.receiptRef]
		.filter((part) => part !== "")
		.join(", ");
}

/** The agent's own title, which may say something else. */
function titleWords({ title = "", words }: ActivityItem): string {
	return title === "" || title.endsWith(words) ? "" : `called ${quotedWords(title)} by the agent`;
}

/** What was allowed and what was reported instead, because a call's name does not always say what it does. */
function swappedWords({ swapped }: ActivityItem): string {
	return swapped === undefined ? "" : `allowed ${quotedWords(swapped.allowed)}, reported ${quotedWords(swapped.reported)}`;
}

function approvalWords({ approval }: ActivityItem): string {
	if (approval?.decision === undefined) return "";
	const { by: decider, decision } = approval;
	// The decision `allow` was made by a rule: the user was not asked.
	const by = decider === undefined ? "" : ` by ${decision === "allow" ? ruleWords(decider) : deciderWords(decider)}`;
	return `${decision === "deny" ? "denied" : "allowed"}${by}`;
}

/** Our own words for the deciders we know. Any other name is text from elsewhere, so it is quoted. */
function deciderWords(by: string): string {
	const known = deciders.get(by);
	if (known !== undefined) return known;
	const [, kind, name = ""] = /^([a-z]+):(.*)$/s.exec(by) ?? [];
	if (kind === "window" && ApprovalId.safeParse(name).success) return `the permission ${name}`;
	if (kind === "configuration") return "the user's settings";
	return kind === "discord" ? `${quotedWords(name)} on Discord` : quotedWords(by);
}

/** Names a rule by who set it. */
function ruleWords(by: string): string {
	return by === "person" ? "the user's rule" : deciderWords(by);
}

function problemWords({ code, message, origin }: ActivityItem): string {
	// These codes add nothing to the words for a report's state.
	const isSaid = code === undefined || (origin === "reported" && (code === "NOT_REPORTED" || code === "TOOL_FAILED"));
	return [isSaid ? "" : visibleWithin(code, 50), message === undefined ? "" : quotedWords(message)].filter((part) => part !== "").join(" ");
}

/** Puts text in quotation marks. Quotation marks inside the text are escaped, so that it cannot end the quotation early. */
export function quotedWords(text: string): string {
	return `“${visibleWithin(text, WORDS).replace(/[“”]/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`)}”`;
}

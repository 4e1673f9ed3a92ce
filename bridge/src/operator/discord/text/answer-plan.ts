import {
	deriveActivity,
	editsLine,
	failedCommandsIn,
	formatBytes,
	RECEIPTS_SHOW,
	renderActivity,
	type Snapshot,
	spanWords,
} from "@xworkmate/contracts";
import { unseenEnds } from "@xworkmate/contracts/unseen-ends";
import { doubtLines } from "./doubt-lines.ts";
import { answerText, messageWords, plainWords } from "./escape-text.ts";
import { POST_LENGTH, splitText } from "./split-text.ts";

export interface PostFile {
	readonly name: string;
	readonly data: string;
}

/** What is posted when a run has ended. The first part replaces the progress post. */
export interface AnswerPlan {
	readonly parts: readonly [string, ...string[]];
	/** The answer, or the beginning of it that is stored, if it does not fit into the parts. Attached to the last part. */
	readonly file?: PostFile;
}

/** The maximum number of posts for an answer. A longer one is attached as a file. */
const MOST_PARTS = 4;
/** The maximum number of lines of activity in a post; the app shows all of them. */
const MOST_LINES = 20;
const LINE_LENGTH = 200;
/** A higher limit for the line about changed files, because it also names their folder. */
const EDITS_LENGTH = 600;
/** The maximum number of failed commands that are named. */
const MOST_COMMANDS = 3;
const FOOTER_LENGTH = 1_500;

/** The posts of a run that has ended: its answer, what was done according to the receipts, and where to read more. Pure. */
export function planAnswer(snapshot: Snapshot, appUrl?: string): AnswerPlan {
	const { output } = snapshot;
	const said = output === undefined ? "" : answerText(ownWords(snapshot, output.text)).trim();
	const body = [endWords(snapshot), said].filter((part) => part !== "").join("\n\n");
	const parts = splitText(body);
	const isWhole = parts.length <= MOST_PARTS && output?.truncated !== true;
	const doubts = [...doubtLines(snapshot), ...rejectedLines(snapshot), ...failedLines(snapshot)];
	const footer = [...doubts, ...activityLines(snapshot), lastLine(snapshot, appUrl)].join("\n");
	const shown = isWhole ? parts : parts.slice(0, 1);
	// A file goes into a second post, together with the footer, because the first part is often an edit of the progress post.
	const posts = isWhole ? withFooter(shown, footer) : ([shown[0] ?? "", ...splitText(`${attachedWords(snapshot)}\n${footer}`)] as const);
	return { parts: posts, ...(isWhole || output === undefined ? {} : { file: { name: `answer-${snapshot.runId}.md`, data: output.text } }) };
}

/** Puts the footer under the last part if there is room, and into its own post otherwise. */
function withFooter(parts: readonly string[], footer: string): readonly [string, ...string[]] {
	const before = parts.slice(0, -1);
	const last = parts.at(-1) ?? "";
	const joined = last === "" ? footer : `${last}\n${footer}`;
	const [first, ...rest] = joined.length <= POST_LENGTH ? [...before, joined] : [...parts, ...splitText(footer)];
	return [first ?? footer, ...rest];
}

function attachedWords({ output }: Snapshot): string {
	return output?.truncated === true
		? `-# The answer is ${formatBytes(output.totalBytes)} long. Its beginning is attached; the whole answer is in XWorkmate.`
		: "-# The whole answer is attached.";
}

/** How a run ended; empty if it completed. */
function endWords({ status, code, message }: Snapshot): string {
	const why = [message === undefined ? "" : messageWords(code, message), code === undefined ? "" : `(${code})`]
		.filter((part) => part !== "")
		.join(" ");
	switch (status) {
		case "queued":
		case "running":
		case "completed":
			return "";
		case "cancelled":
			return `**${code === "CANCEL_INCOMPLETE" ? "Cancelled, but something may still be running." : "Stopped."}** ${why}`.trim();
		case "failed":
			return `**Something went wrong.** ${why}${code === "PROVIDER_NOT_FOUND" ? " Nothing was started." : ""}`.trim();
		case "artifact_missing":
			return `**A required file is missing.** ${why}`.trim();
		case "interrupted":
			return `**The run was interrupted and may be unfinished.** ${why}`.trim();
	}
}

/**
 * The answer. If the bridge wrote it, its list of what was done is removed, because the activity below says the same in the usual words.
 */
function ownWords({ grounding }: Snapshot, text: string): string {
	return grounding?.state === "replaced" ? (text.split(RECEIPTS_SHOW)[0] ?? text) : text;
}

/** Says of a success that files were rejected, in the words that the page has for it. */
function rejectedLines({ status, artifacts, rejectedArtifacts, rejectedCount = rejectedArtifacts.length }: Snapshot): readonly string[] {
	if (status !== "completed" || rejectedCount === 0) return [];
	const verb = rejectedCount === 1 ? "was" : "were";
	if (artifacts.count === 0) return [`> **No files delivered:** ${rejectedCount} ${verb} rejected`];
	return [`> **Succeeded, but ${counted(rejectedCount, "file")} ${verb} rejected.**`];
}

/** The commands that the agent itself reported as failed, no matter what its answer says. */
function failedLines({ activity }: Snapshot): readonly string[] {
	const failed = failedCommandsIn(activity);
	if (failed.length === 0) return [];
	const rest = failed.length - MOST_COMMANDS;
	const named = failed.slice(0, MOST_COMMANDS).map((words) => plainWords(words, LINE_LENGTH));
	return [`> **${counted(failed.length, "command")} failed:** ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`];
}

/**
 * The lines of the activity, formatted as quotes. Quotes in an answer are escaped, so that no answer can imitate these lines. The files that
 * changed come first, so that they are not among the lines that are left out.
 */
function activityLines({ runId, activity, edits }: Snapshot): readonly string[] {
	const changed = edits === undefined ? [] : [plainWords(editsLine(edits), EDITS_LENGTH)];
	const lines = [...changed, ...renderActivity(activity ?? deriveActivity(runId, [])).map((line) => plainWords(line, LINE_LENGTH))];
	const shown: string[] = [];
	let length = 0;
	for (const line of lines.slice(0, MOST_LINES)) {
		const quoted = `> ${line}`;
		length += quoted.length + 1;
		if (length > FOOTER_LENGTH) break;
		shown.push(quoted);
	}
	return shown.length === lines.length ? shown : [...shown, "> There is more in XWorkmate."];
}

function lastLine({ code, threadId, receipts, artifacts, startedAt, endedAt }: Snapshot, appUrl: string | undefined): string {
	const isUnknown = startedAt === undefined || endedAt === undefined || unseenEnds.has(code);
	const took = isUnknown ? "" : spanWords(Date.parse(endedAt) - Date.parse(startedAt));
	const head = receipts === undefined ? "no receipts" : `${counted(receipts.count, "receipt")}, ${twelveDigits(receipts.head)}`;
	const files = artifacts.count === 0 ? "" : counted(artifacts.count, "file");
	return `-# ${[took, head, files, threadLink(threadId, appUrl)].filter((part) => part !== "").join(" · ")}`;
}

/** A link into the app, if the app's address is set. The thread's id is encoded, so it cannot change where the link leads. Pure. */
export function threadLink(threadId: string, appUrl: string | undefined): string {
	if (appUrl === undefined) return "";
	return `[Open in XWorkmate](<${new URL(`#/t/${encodeURIComponent(threadId)}`, appUrl).href}>)`;
}

/** The first digits of a hash, in groups that can be compared by eye. Pure. */
export function twelveDigits(hash: string): string {
	return hash.slice(0, 12).replaceAll(/(.{4})(?=.)/g, "$1 ");
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** What is posted while a run works. It shows no part of the answer, because half an answer could mislead. Pure. */
export function planProgress({ status, progress, pendingApprovals, activity }: Snapshot): string {
	const done = activity === undefined || activity.completed === 0 ? "" : ` ${counted(activity.completed, "action")} completed so far.`;
	if (pendingApprovals.length > 0) return `*Waiting for an answer to ${counted(pendingApprovals.length, "request")}.*${done}`;
	if (status === "queued") return "*This message is queued and starts automatically. /stop cancels everything in this channel.*";
	return progress?.stage === "stopping" ? `*Stopping…*${done}` : `*Working…*${done}`;
}

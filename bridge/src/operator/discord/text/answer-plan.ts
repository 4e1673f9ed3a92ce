import {
	deriveActivity,
	failedCommandsIn,
	formatBytes,
	RECEIPTS_SHOW,
	renderActivity,
	type Snapshot,
	spanWords,
} from "@xworkmate/contracts";
import { answerText, messageWords, plainWords } from "./escape-text.ts";
import { POST_LENGTH, splitText } from "./split-text.ts";

export interface PostFile {
	readonly name: string;
	readonly data: string;
}

/** What is posted when a run has ended. The first part replaces the progress post. */
export interface AnswerPlan {
	readonly parts: readonly [string, ...string[]];
	/** The answer, or the beginning that is kept of it, if it does not fit into the parts. It is attached to the last part. */
	readonly file?: PostFile;
}

/** The maximum number of posts for an answer. A longer one is attached as a file. */
const MOST_PARTS = 4;
/** The maximum number of lines of activity in a post; the app shows all of them. */
const MOST_LINES = 20;
const LINE_LENGTH = 200;
/** The maximum number of unverified sentences that are quoted; the page marks all of them. */
const MOST_SENTENCES = 3;
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
	const footer = [...doubtLines(snapshot), ...failedLines(snapshot), ...activityLines(snapshot), lastLine(snapshot, appUrl)].join("\n");
	const shown = isWhole ? parts : parts.slice(0, 1);
	// A file goes into a second post, together with the footer, because the first part is often an edit of the progress post.
	const posts = isWhole ? withFooter(shown, footer) : ([shown[0] ?? "", [attachedWords(snapshot), footer].join("\n")] as const);
	return { parts: posts, ...(isWhole || output === undefined ? {} : { file: { name: `answer-${snapshot.runId}.md`, data: output.text } }) };
}

/** Puts the footer under the last part if there is room, and into its own post otherwise. */
function withFooter(parts: readonly string[], footer: string): readonly [string, ...string[]] {
	const before = parts.slice(0, -1);
	const last = parts.at(-1) ?? "";
	const joined = last === "" ? footer : `${last}\n${footer}`;
	const [first, ...rest] = joined.length <= POST_LENGTH ? [...before, joined] : [...parts, footer];
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
			return `**Stopped.** ${why}`.trim();
		case "failed":
			return `**Something went wrong.** ${why}`.trim();
		case "artifact_missing":
			return `**A required file is missing.** ${why}`.trim();
		case "interrupted":
			return `**The run was interrupted and may be unfinished.** ${why}`.trim();
	}
}

/** The answer. One that the bridge wrote loses its list of what was done, because the activity below says the same in the usual words. */
function ownWords({ grounding }: Snapshot, text: string): string {
	return grounding?.state === "replaced" ? (text.split(RECEIPTS_SHOW)[0] ?? text) : text;
}

/** Why the answer cannot be relied on, and which of its sentences are not verified. */
function doubtLines({ grounding, output }: Snapshot): readonly string[] {
	if (grounding?.state === "replaced") return [`> ${replacedWords(grounding)}`];
	if (grounding?.state !== "unverified") return [];
	const sentences = grounding.problems
		.map(({ start, end }) => plainWords(output?.text.slice(start, end) ?? "", LINE_LENGTH))
		.filter((sentence) => sentence !== "");
	const rest = sentences.length - MOST_SENTENCES;
	return [
		`> **Not verified:** no receipt backs ${sentences.length === 0 ? "what the answer says was done." : "this:"}`,
		...sentences.slice(0, MOST_SENTENCES).map((sentence) => `> “${sentence}”`),
		...(rest > 0 ? [`> and ${rest} more. They are marked in XWorkmate.`] : []),
	];
}

function replacedWords({ problems }: NonNullable<Snapshot["grounding"]>): string {
	const isMissing = problems.length > 0 && problems.every(({ code }) => code === "NO_ANSWER");
	return isMissing
		? "XWorkmate wrote this answer, because the model gave none."
		: "XWorkmate wrote this answer, because the model's own wasn't backed by receipts.";
}

/** The commands that the agent itself reported as failed, no matter what its answer says. */
function failedLines({ activity }: Snapshot): readonly string[] {
	const failed = failedCommandsIn(activity);
	if (failed.length === 0) return [];
	const rest = failed.length - MOST_COMMANDS;
	const named = failed.slice(0, MOST_COMMANDS).map((words) => plainWords(words, LINE_LENGTH));
	return [`> **${counted(failed.length, "command")} failed:** ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`];
}

/** The lines of the activity, formatted as quotes. Quotes in an answer are escaped, so that no answer can imitate these lines. */
function activityLines({ runId, activity }: Snapshot): readonly string[] {
	const lines = renderActivity(activity ?? deriveActivity(runId, []));
	const shown: string[] = [];
	let length = 0;
	for (const line of lines.slice(0, MOST_LINES)) {
		const quoted = `> ${plainWords(line, LINE_LENGTH)}`;
		length += quoted.length + 1;
		if (length > FOOTER_LENGTH) break;
		shown.push(quoted);
	}
	return shown.length === lines.length ? shown : [...shown, "> There is more in XWorkmate."];
}

function lastLine({ threadId, receipts, artifacts, startedAt, endedAt }: Snapshot, appUrl: string | undefined): string {
	const took = startedAt === undefined || endedAt === undefined ? "" : spanWords(Date.parse(endedAt) - Date.parse(startedAt));
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

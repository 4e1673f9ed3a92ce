import type { Snapshot } from "@xworkmate/contracts";
import type { QueueOfThread } from "../api/app-api.ts";
import type { LackingFile } from "../api/export-piece.ts";
import type { ThreadFile } from "../api/ui-api.ts";
import type { FileOrigin } from "../files/open-plain-file.ts";
import { count, fill, words } from "../strings/interface.ts";
import { missingEndWords } from "../strings/runs/missing-end-words.ts";
import { fileWords, rejectionWords } from "../strings/runs/states.ts";
import { turnWords } from "../strings/runs/turn-words.ts";
import { exactFileName } from "../text/file-names.ts";
import { oneLine, printable } from "../text/printable.ts";
import { isAnswer } from "../text/runs/is-answer.ts";
import { isUnfinished } from "../text/runs/is-unfinished.ts";
import { modelWords } from "../text/runs/model-words.ts";
import { noFilesWords, rejectedCountOf } from "../text/runs/no-files-words.ts";
import { type AttachmentNote, isSettled, statusOf, type Thread, type TurnRecord } from "../threads/index.ts";
import type { ToldPiece, ToldTurn } from "./told-turn.ts";
import { type TurnReason, turnReason } from "./turn-reason.ts";

/** A file in the same zip as the document, and where its bytes come from. */
export interface ExportedBytes {
	readonly path: string;
	readonly from: FileOrigin;
}

/**
 * A turn, with what its agent said. `told` is empty if the app has none of the run's updates; in that case, only the snapshot's output is
 * known of the answer. If the updates end before those that the snapshot covers, the app could not fetch the rest.
 */
export interface ExportedTurn extends TurnRecord, ToldTurn {
	/** The run's files as the folder has them now. */
	readonly files: readonly Pick<ThreadFile, "relativePath" | "state">[];
}

export interface MarkdownParts {
	readonly thread: Pick<Thread, "threadId" | "title" | "createdAt">;
	readonly records: readonly ExportedTurn[];
	readonly queue: QueueOfThread;
	readonly exportedAt: string;
	/** Since when the state of the active run may be out of date; absent if it is current. */
	readonly asOf?: string;
	/** For a zip: the files next to the document, and the files that are missing. */
	readonly beside?: { readonly files: readonly ExportedBytes[]; readonly lacking: readonly LackingFile[] };
}

const NAME = 1_000;

/**
 * A thread as one Markdown document. What the user and agents wrote is quoted, so that it can't look like a heading or another message of
 * the document. Characters that would hide text are made visible.
 */
export function threadMarkdown({ thread, records, queue, exportedAt, asOf = exportedAt, beside }: MarkdownParts): string {
	const { threadId, title, createdAt } = thread;
	const messages = [count(records.length, "message"), ...queueTitle(queue)].join(", ");
	return [
		`# ${escaped(title)}`,
		"",
		`Thread ${code(threadId)}, started ${createdAt}, ${messages}. Exported ${exportedAt} by XWorkmate.`,
		...records.flatMap((record, index) => ["", ...turnLines(record, { number: index + 1, asOf, isZip: beside !== undefined })]),
		...queueLines(queue),
		...(beside === undefined ? [] : besideLines(beside)),
		"",
	].join("\n");
}

/** Where a turn is in the document, and as of when its state is known. */
interface TurnPlace {
	readonly number: number;
	readonly asOf: string;
	readonly isZip: boolean;
}

function turnLines(
	{ turn, request, snapshot, told, lastSeq, leftOut, files }: ExportedTurn,
	{ number, asOf, isZip }: TurnPlace,
): readonly string[] {
	const status = statusOf(turn, snapshot);
	const state = `${turnWords[status].toLowerCase()}${isSettled(status) ? "" : ` as of ${asOf}`}`;
	const agent = snapshot?.provider.providerId ?? request.routing.providerId ?? request.routing.executionTarget;
	const output = snapshot?.output;
	const isCut = snapshot !== undefined && lastSeq < snapshot.lastSeq;
	const isMissing = output !== undefined && output.text.trim() !== "" && (told.length === 0 || (isCut && !hasAnswer(told, output)));
	const result = isMissing ? [{ text: output.text }] : [];
	const hasText = [...told, ...result].some((piece) => "text" in piece);
	const { steps, answer } = missingEndWords;
	const cut = isCut ? [`*${result.length === 0 ? steps : `${steps} ${answer}`}*`] : [];
	const blocks = [...told.map(pieceLine), ...cut, ...result.map(pieceLine)];
	const model = modelWords({ snapshot, request, hasWorked: hasText }, code);
	const { continues } = request;
	return [
		`## ${number}. Message, ${turn.createdAt}`,
		"",
		...(continues === undefined ? [] : [`Continues the thread ${code(continues.threadId)}, ${escaped(continues.title)}.`, ""]),
		quoted(request.prompt),
		...attachedLines(request.attachments),
		"",
		`### Answer from ${code(agent)}${model === undefined ? "" : `, model ${model}`}, ${state}`,
		"",
		...turnReason(turn, snapshot).flatMap(reasonLines),
		...(hasText ? [] : ["No answer."]),
		...blocks.flatMap((block, index) => [...(hasText && index === 0 ? [] : [""]), block]),
		...(leftOut.length === 0 ? [] : ["", notHere(leftOut.map((what) => leftOutWords[what]))]),
		...filesLines(snapshot, { turn, files }, isZip),
		...rejectedLines(snapshot),
	];
}

/** True if the last text that was received is the answer of the run's result. */
function hasAnswer(told: readonly ToldPiece[], output: NonNullable<Snapshot["output"]>): boolean {
	const last = told.findLast((piece) => "text" in piece);
	return last !== undefined && "text" in last && isAnswer(last.text, output);
}

function attachedLines(attachments: readonly Pick<AttachmentNote, "name">[]): readonly string[] {
	return attachments.length === 0 ? [] : ["", `Attached: ${attachments.map(({ name }) => code(exactFileName(name))).join(", ")}`];
}

function reasonLines({ lead, text, items = [] }: TurnReason): readonly string[] {
	const said = [...(lead === undefined ? [] : [`**${escaped(lead)}.**`]), ...(text === undefined ? [] : [escaped(text)])];
	return [
		...(said.length === 0 ? [] : [said.join(" "), ""]),
		...(items.length === 0 ? [] : [...items.map((item) => `- ${escaped(item)}`), ""]),
	];
}

/** A text, or a note that calls and requests were left out of the document at this point. */
function pieceLine(piece: ToldPiece): string {
	if ("text" in piece) return quoted(piece.text);
	const { calls, requests } = piece;
	return notHere([...(calls > 0 ? [count(calls, "call")] : []), ...(requests > 0 ? [count(requests, "request")] : [])]);
}

const leftOutWords = { plan: "the agent’s plan", thoughts: "the agent’s thoughts" } as const;

function notHere(what: readonly string[]): string {
	return `*Not in this export: ${what.join(" and ")}.*`;
}

/** The files that a run delivered, and where they are now. The files of a run that did not succeed are never saved in the folder. */
function filesLines(
	snapshot: TurnRecord["snapshot"],
	{ turn, files }: Pick<ExportedTurn, "turn" | "files">,
	isZip: boolean,
): readonly string[] {
	const { status, runId } = snapshot === undefined ? turn : { ...turn, status: snapshot.status };
	const { items = [], count: all = 0 } = snapshot?.artifacts ?? {};
	const { filesAtBridge, unfinished, noneCollected } = words.outcome;
	if (all === 0) {
		if (status === "completed") return ["", `${noFilesWords(rejectedCountOf(snapshot))}.`];
		return status === "interrupted" && runId !== undefined ? ["", noneCollected] : [];
	}
	const isSuccess = status === "completed";
	const unsaved = [
		fill(filesAtBridge, { files: count(all, "file") }),
		...(isUnfinished(status, snapshot?.code ?? turn.resultCode) ? [unfinished] : []),
		...(isZip ? [`This zip does not contain ${all === 1 ? "it" : "them"}.`] : []),
	].join(" ");
	const states = new Map(files.map(({ relativePath, state }) => [relativePath, state]));
	const lines = items.map(({ relativePath, sha256 }) => {
		const state = isSuccess ? states.get(relativePath) : undefined;
		return `- ${code(exactFileName(relativePath))}, SHA-256 ${sha256}${state === undefined || state === "checked" ? "" : ` (${fileWords[state].word})`}`;
	});
	return ["", isSuccess ? "Files from this run:" : unsaved, "", ...lines, ...moreLines(all - items.length)];
}

function rejectedLines(snapshot: TurnRecord["snapshot"]): readonly string[] {
	const { rejectedArtifacts: listed = [] } = snapshot ?? {};
	const rejectedCount = rejectedCountOf(snapshot);
	if (rejectedCount === 0) return [];
	const lines = listed.map(({ path, reason }) => `- ${code(exactFileName(path))}: ${rejectionWords[reason]}`);
	return ["", "Rejected files:", "", ...lines, ...moreLines(rejectedCount - listed.length)];
}

/** Counts the files that the snapshot does not list. A snapshot lists only the first 200. */
function moreLines(more: number): readonly string[] {
	return more > 0 ? [`- and ${more} more`] : [];
}

function queueTitle({ queued = [], queueHeld }: QueueOfThread): readonly string[] {
	return queued.length === 0 ? [] : [`${count(queued.length, "queued message")}${queueHeld === true ? " on hold" : ""}`];
}

/** The messages that were queued at the time of the export. None of them had been sent. */
function queueLines(queue: QueueOfThread): readonly string[] {
	const messages = (queue.queued ?? []).flatMap(({ prompt, attachments = [] }) => ["", quoted(prompt), ...attachedLines(attachments)]);
	return queueTitle(queue).flatMap((title) => ["", `## ${title}, not sent`, ...messages]);
}

const originWords: Readonly<Record<FileOrigin, string>> = {
	folder: "from the thread's folder",
	bridge: "the bridge's copy, as delivered; it is not in the thread's folder as a regular file",
};

function besideLines({ files, lacking }: NonNullable<MarkdownParts["beside"]>): readonly string[] {
	const here =
		files.length === 0 ? ["None."] : files.map(({ path, from }) => `- ${code(exactFileName(`files/${path}`))}, ${originWords[from]}`);
	const note = "Files from the thread's folder were copied at the time of the export. `SHA256SUMS` has the hashes of the exported files.";
	return [
		...["", "## Files beside this document", "", ...(files.length === 0 ? [] : [note, ""]), ...here],
		...(lacking.length === 0
			? []
			: ["", "Not included:", "", ...lacking.map(({ path, message }) => `- ${code(exactFileName(path))}: ${escaped(message)}`)]),
	];
}

function quoted(text: string): string {
	return printable(text.toWellFormed())
		.trimEnd()
		.split(/\r\n|[\n\r\u0085\u2028\u2029]/)
		.map((line) => (line === "" ? ">" : `> ${line}`))
		.join("\n");
}

/** Escapes a line of text so that Markdown does not interpret any of it. */
function escaped(text: string): string {
	return oneLine(text.toWellFormed(), NAME).replace(/[\\`*_{}[\]()#+!<>|~&-]/g, "\\$&");
}

/** Puts a text between fences that are longer than any fence within it. */
function code(text: string): string {
	const line = oneLine(text.toWellFormed(), NAME);
	const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
	const fence = "`".repeat(longest + 1);
	return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

import type { LackingFile } from "../api/export-piece.ts";
import type { FileOrigin } from "../files/open-plain-file.ts";
import { count } from "../strings/interface.ts";
import { oneLine, printable } from "../text/printable.ts";
import type { Thread, TurnRecord } from "../threads/index.ts";
import type { ToldPiece } from "./told-pieces.ts";
import { turnReason } from "./turn-reason.ts";

/** A file of the thread, and the hash of the bytes that its run delivered. */
interface ExportedFile {
	readonly path: string;
	readonly sha256?: string;
}

/** A file beside the document, and where its bytes come from. */
export interface ExportedBytes {
	readonly path: string;
	readonly from: FileOrigin;
}

/** A turn, with what its agent said. */
export interface ExportedTurn extends TurnRecord {
	/** Empty if the app has none of the run's updates: the snapshot's output is then all that is known of the answer. */
	readonly told: readonly ToldPiece[];
}

export interface MarkdownParts {
	readonly thread: Pick<Thread, "threadId" | "title" | "createdAt">;
	readonly records: readonly ExportedTurn[];
	readonly exportedAt: string;
	/** For a zip: the files beside the document, and those that are missing. */
	readonly beside?: { readonly files: readonly ExportedBytes[]; readonly lacking: readonly LackingFile[] };
}

const NAME = 1_000;

/**
 * A thread as one Markdown document. What the user and agents wrote is quoted, so that none of it can look like a heading or another
 * message of the document. Characters that would hide text are made visible.
 */
export function threadMarkdown({ thread, records, exportedAt, beside }: MarkdownParts): string {
	const { threadId, title, createdAt } = thread;
	const messages = records.length === 1 ? "1 message" : `${records.length} messages`;
	return [
		`# ${escaped(title)}`,
		"",
		`Thread ${code(threadId)}, started ${createdAt}, ${messages}. Exported ${exportedAt} by XWorkmate.`,
		...records.flatMap((record, index) => ["", ...turnLines(record, index + 1)]),
		...(beside === undefined ? [] : besideLines(beside)),
		"",
	].join("\n");
}

function turnLines({ turn, request, snapshot, told }: ExportedTurn, number: number): readonly string[] {
	const agent = snapshot?.provider.providerId ?? request.routing.providerId ?? request.routing.executionTarget;
	const model = snapshot?.provider.model ?? request.routing.model;
	const output = snapshot?.output?.text ?? "";
	const pieces = told.length === 0 && output.trim() !== "" ? [{ text: output }] : told;
	const hasText = pieces.some((piece) => "text" in piece);
	const files: readonly ExportedFile[] =
		snapshot?.artifacts.items.map(({ relativePath, sha256 }) => ({ path: relativePath, sha256 })) ?? [];
	const { continues } = request;
	return [
		`## ${number}. Message, ${turn.createdAt}`,
		"",
		...(continues === undefined ? [] : [`Continues the thread ${code(continues.threadId)}, ${escaped(continues.title)}.`, ""]),
		quoted(request.prompt),
		...(request.attachments.length === 0 ? [] : ["", `Attached: ${request.attachments.map(({ name }) => code(name)).join(", ")}`]),
		"",
		`### Answer from ${code(agent)}${model === undefined ? "" : `, model ${code(model)}`}, ${snapshot?.status ?? turn.status}`,
		"",
		...turnReason(turn, snapshot).flatMap(({ lead, text }) => [
			`**${escaped(lead)}.**${text === undefined ? "" : ` ${escaped(text)}`}`,
			"",
		]),
		...(hasText ? [] : ["No answer."]),
		...pieces.flatMap((piece, index) => [...(hasText && index === 0 ? [] : [""]), pieceLine(piece)]),
		...(files.length === 0 ? [] : ["", "Files from this run:", "", ...files.map(fileLine)]),
		...listedOf(snapshot, files),
	];
}

/** A text, or a note in place of the calls and requests that the document leaves out there. */
function pieceLine(piece: ToldPiece): string {
	if ("text" in piece) return quoted(piece.text);
	const { calls, requests } = piece;
	const what = [...(calls > 0 ? [count(calls, "call")] : []), ...(requests > 0 ? [count(requests, "request")] : [])].join(" and ");
	return `*Not in this export: ${what}.*`;
}

/** A line for the files that the snapshot does not list: if there are many, it lists only the first. */
function listedOf(snapshot: TurnRecord["snapshot"], files: readonly ExportedFile[]): readonly string[] {
	const more = (snapshot?.artifacts.count ?? 0) - files.length;
	return more > 0 ? [`- and ${more} more`] : [];
}

function fileLine({ path, sha256 }: ExportedFile): string {
	return `- ${code(path)}${sha256 === undefined ? "" : `, SHA-256 ${sha256}`}`;
}

const originWords: Readonly<Record<FileOrigin, string>> = {
	folder: "from the thread's folder",
	bridge: "as delivered; it is missing from the thread's folder",
};

function besideLines({ files, lacking }: NonNullable<MarkdownParts["beside"]>): readonly string[] {
	const here = files.length === 0 ? ["None."] : files.map(({ path, from }) => `- ${code(`files/${path}`)}, ${originWords[from]}`);
	const note = "Files from the thread's folder were copied at the time of the export. `SHA256SUMS` has the hashes of the exported files.";
	return [
		...["", "## Files beside this document", "", ...(files.length === 0 ? [] : [note, ""]), ...here],
		...(lacking.length === 0
			? []
			: ["", "Not included:", "", ...lacking.map(({ path, message }) => `- ${code(path)}: ${escaped(message)}`)]),
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

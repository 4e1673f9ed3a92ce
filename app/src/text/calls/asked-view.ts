import type { Approval, ToolCall, ToolKind } from "@xworkmate/contracts";
import { askedName, commandField, commandIn, doneToFiles, fetchName, isUnnamedCall } from "@xworkmate/contracts/asked-name";
import { examinedFiles } from "@xworkmate/contracts/contradiction";
import { kindOfCommand } from "@xworkmate/contracts/looking-kind";

/** A named field of a request; `value` keeps its line breaks. */
export interface AskedField {
	readonly name: string;
	readonly value: string;
}

/** A request in readable form. Anything that is not recognized is in `text`, or in `parts`, `fields` and `raw`, so nothing is lost. */
export interface AskedView {
	/** The title, if it does not repeat the command or the file. */
	readonly title?: string;
	readonly description?: string;
	/** A command with its line breaks. */
	readonly command?: string;
	/** The input, or the title, as text, if it has no other readable form. */
	readonly text?: string;
	readonly directory?: string;
	/** The call's time limit, if the name of the agent's field gives the unit. */
	readonly limitMs?: number;
	/** The call's time limit as it was sent, if its unit is unknown. */
	readonly limit?: string;
	/** Named parts of the proposed action, always shown: a file's content, for example, or a text and its replacement. */
	readonly parts: readonly AskedPart[];
	/** Everything else, under the agent's own names, such as short texts and numbers that say how something is done. */
	readonly fields: readonly AskedField[];
	/** The input as it was sent, if it is a JSON object. Absent if all that it contains is a command that is also the title. */
	readonly raw?: string;
}

export type PartName = "file" | "content" | "before" | "after" | "diff" | "url" | "prompt" | "environment";

/** Without `is`, only the part's own name describes it. `under`: the names of the fields that lead to it in the input. */
export interface AskedPart extends AskedField {
	readonly is?: PartName;
	readonly under?: string;
}

const partOf: Readonly<Record<string, PartName>> = {
	...{ file_path: "file", path: "file", filePath: "file", filepath: "file", abs_path: "file", notebook_path: "file" },
	...{ content: "content", contents: "content", new_source: "content", text: "content", file_text: "content", fileText: "content" },
	...{ new_content: "content", newContent: "content", file_content: "content", fileContent: "content", insert_text: "content" },
	...{ old_string: "before", oldString: "before", oldText: "before", old_text: "before", old_str: "before", before: "before" },
	...{ new_string: "after", newString: "after", newText: "after", new_text: "after", new_str: "after", after: "after" },
	...{ diff: "diff", patch: "diff", patchText: "diff" },
	...{ url: "url", prompt: "prompt" },
};
const descriptions: ReadonlySet<string> = new Set(["description", "justification", "reason"]);
const directories: ReadonlySet<string> = new Set(["cwd", "workdir", "working_directory", "workingDirectory", "directory", "dir_path"]);
/** Fields with environment variables, which can change what a command does, so they are always shown. */
const environments: ReadonlySet<string> = new Set(["env", "environment", "env_vars", "environment_variables", "environmentVariables"]);
const limits: Readonly<Record<string, number>> = { timeout_ms: 1, timeoutMs: 1, timeout_secs: 1_000, timeout_seconds: 1_000 };

/** Kinds of requests that change files. Any text in such a request may be content for a file. */
const changing: ReadonlySet<Approval["toolKind"]> = new Set(["edit", "delete", "move"]);
/** A text that is longer than this, or has several lines, is shown as a part, regardless of the kind of request. */
const SHORT = 80;
/**
 * The maximum number of short texts without a known meaning, such as a recipient, that are shown as parts. If there are more, all are in
 * `fields`.
 */
const MOST_TEXTS = 6;
/** How many levels of nested values are split into parts; anything deeper is shown as JSON. */
const DEPTH = 4;

/** Gemini puts a command's directory and description into one text, and the command itself into the title. */
const PLACE_AND_WORDS = /^\[(?:current working directory|in) ([^\n\]]+)\](?: \(([\s\S]*)\))?$/;

/**
 * A call on one line: the files that the bridge looked at, its command, the address that it fetches, or else its title; and its kind. For a
 * call with a command, the kind is always that of the command, because the line shows the command. Receipts keep the kind of a command that
 * certainly only reads (`judgedKind`).
 */
export function namedCall({ title, toolKind, input, examined }: Pick<Approval, "title" | "toolKind" | "input"> & Examined): {
	readonly name: string;
	readonly toolKind: ToolKind;
} {
	const { name: asked, isCommand } = askedName(title, input);
	const name = toolKind === "fetch" && !isCommand ? fetchName(asked, input) : asked;
	return { name: examinedFiles({ examined }) ?? name, toolKind: isCommand ? kindOfCommand(toolKind) : toolKind };
}

type Examined = { readonly examined?: ToolCall["examined"] };

/**
 * The agent's title for a reported call; undefined if the agent gave none, or if the title ends with the call's name. Any other title adds
 * something to the name.
 */
export function titleBeside({
	title,
	toolKind,
	input,
	examined,
}: Pick<ToolCall, "title" | "toolKind" | "input"> & Examined): string | undefined {
	const { name } = namedCall({ title, toolKind, input, examined });
	return isUnnamedCall(title) || name === title || title.trim() === "" || title.endsWith(name) ? undefined : title;
}

type Asked = Pick<Approval, "title" | "toolKind" | "input" | "toolId" | "directory">;

/** A request on one line, for use within a sentence: "edit notes.md". */
export function requestName(approval: Asked): string {
	const { files, subject } = named(approval);
	return files ? doneToFiles(approval.toolKind, subject) : subject;
}

/** What a request is about, on one line, to be shown next to its kind. */
export function requestSubject(approval: Asked): string {
	return named(approval).subject;
}

/**
 * For a typed call, the title, because the bridge writes it. Otherwise, the command or the files, and the agent's title only if neither is
 * known.
 */
function named(approval: Asked): { readonly subject: string; readonly files: boolean } {
	const { title, input, toolId } = approval;
	if (toolId !== undefined) return { subject: title, files: false };
	const { name, isCommand } = askedName(title, input);
	if (isCommand) return { subject: name, files: false };
	const [file, ...others] = new Set(askedView(approval).parts.flatMap(({ is, value }) => (is === "file" && value !== "" ? [value] : [])));
	if (file === undefined) return { subject: name, files: false };
	return { subject: others.length === 0 ? file : `${file} and ${others.length} more`, files: true };
}

/** True if the request states its command or file and has a title that does not repeat it: the agent's own name for the call. */
export function isCalledOtherwise({ title, command, parts }: AskedView): boolean {
	return title !== undefined && (command !== undefined || parts.some(({ is }) => is === "file"));
}

/** Reads a request in any agent's format. Pure; never throws. */
export function askedView({
	title,
	toolKind,
	input,
	directory,
	unstated = [],
}: Pick<Approval, "title" | "toolKind" | "input" | "directory" | "unstated">): AskedView {
	const elsewhere = directory === undefined ? {} : { directory };
	const nothing = { parts: [], fields: [], ...elsewhere };
	const isCommand = toolKind === "execute";
	// A title that the agent did not provide contains no information about the request.
	const isTitled = !unstated.includes("title");
	if (input === undefined || input.text === "" || input.text === title)
		return { ...nothing, ...(isCommand ? { command: title } : { text: title }) };
	const object = input.truncated ? undefined : objectIn(input.text);
	if (object !== undefined) return fromObject(object, input.text, { title, isTitled, isChange: changing.has(toolKind) }, elsewhere);
	const place = isCommand && !input.truncated ? PLACE_AND_WORDS.exec(input.text) : null;
	if (place === null) return { ...nothing, ...(isTitled && { title }), text: input.text };
	const [, named, words] = place;
	const description = words === undefined || words === "" ? {} : { description: words };
	return { ...nothing, command: title, ...description, ...(named === undefined ? {} : { directory: directory ?? named }) };
}

function fromObject(
	object: object,
	raw: string,
	{ title, isTitled, isChange }: { readonly title: string; readonly isTitled: boolean; readonly isChange: boolean },
	elsewhere: { readonly directory?: string },
): AskedView {
	const view: { -readonly [K in keyof AskedView]: AskedView[K] } = { parts: [], fields: [], ...elsewhere };
	const parts: AskedPart[] = [];
	const fields: AskedField[] = [];
	const texts = new Set<AskedField>();
	const commandName = commandField(object);
	for (const [name, value] of Object.entries(object)) {
		const line = name === "command" || name === "cmd" ? commandIn(value) : undefined;
		const part = Object.hasOwn(partOf, name) ? partOf[name] : undefined;
		const unit = Object.hasOwn(limits, name) ? limits[name] : undefined;
		if (line !== undefined && name === commandName) view.command = line;
		else if (line !== undefined) parts.push({ name, value: line });
		else if (environments.has(name) && !isEmpty(value)) parts.push({ name, value: asText(value), is: "environment" });
		else if (descriptions.has(name) && typeof value === "string" && view.description === undefined) view.description = value;
		else if (directories.has(name) && typeof value === "string" && view.directory === undefined) view.directory = value;
		else if (unit !== undefined && typeof value === "number" && view.limitMs === undefined) view.limitMs = value * unit;
		else if (name === "timeout" && typeof value === "number") view.limit = String(value);
		else if (part !== undefined && typeof value === "string") parts.push({ name, value, is: part });
		else if (isChange && typeof value === "object" && value !== null) takeApart(value, name, parts, fields);
		else if (typeof value === "string" && (isChange || isLong(value))) parts.push({ name, value });
		else if (typeof value === "string" && value !== "") {
			const text = { name, value };
			parts.push(text);
			texts.add(text);
		} else fields.push({ name, value: asText(value) });
	}
	const isMany = texts.size > MOST_TEXTS;
	view.parts = isMany ? parts.filter((part) => !texts.has(part)) : parts;
	view.fields = isMany ? [...texts, ...fields] : fields;
	const isWhole = view.command === title && Object.keys(object).length === 1;
	if (!isWhole) view.raw = raw;
	// A title that repeats the command or the first file adds nothing. A title without either is kept.
	const said = view.command ?? parts.find(({ is }) => is === "file")?.value;
	const repeats = said !== undefined && said !== "" && (title.endsWith(said) || said.startsWith(title));
	if (isTitled && !repeats) view.title = title;
	if (view.command === undefined && parts.length === 0 && fields.length === 0) view.text = raw;
	return view;
}

function asText(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value, undefined, "  ");
}

function isEmpty(value: unknown): boolean {
	return value === "" || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

function isLong(text: string): boolean {
	return text.length > SHORT || text.includes("\n");
}

/** Splits a nested value of a change, such as a list of edits, into its strings, because as JSON they would lose their line breaks. */
function takeApart(value: object, under: string, parts: AskedPart[], fields: AskedField[], depth = 1): void {
	for (const [key, inner] of Object.entries(value)) {
		const name = `${under}.${key}`;
		const is = Object.hasOwn(partOf, key) ? partOf[key] : undefined;
		if (typeof inner === "string") parts.push({ name, value: inner, under, ...(is !== undefined && { is }) });
		else if (typeof inner === "object" && inner !== null && depth < DEPTH) takeApart(inner, name, parts, fields, depth + 1);
		else fields.push({ name, value: JSON.stringify(inner, undefined, "  ") });
	}
}

function objectIn(text: string): object | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
	} catch {
		// Not JSON, so it is shown unchanged.
		return undefined;
	}
}

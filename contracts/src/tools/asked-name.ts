import type { Preview, ToolKind } from "./tool-call.ts";

/** How much of a command names a call, and how much of that is its end, in UTF-16 units. */
const SHOWN = 200;
const END = 80;
/** If a part of a command would be shorter than this without its incomplete word, the word is shown as far as it goes. */
const LEAST = 40;
/** How a line break in a command is shown. */
const BREAK = " ⏎ ";
/** Some editors' tools name what they do with a file in a field that other tools use for a command line. */
const SUBCOMMAND = /^[a-z_]+$/;
/** What agents put in front of a command: the name of their tool, or a verb. Anything else could pass for a part of the command. */
const LABEL = /^(?:\p{L}[\w-]*:|(?:run|runs|running|ran|execut(?:e|es|ing|ed))\s)?[`$>\s]*$/iu;
/** The title that the bridge gives to a call if its agent gives none; files that it names may follow in brackets. */
export const UNNAMED_CALL = "Tool call";
const fileFields = ["path", "file_path", "filePath", "abs_path"];

export interface AskedName {
	/** The command on one line, or the agent's title, which may include the command. It may contain hidden characters. */
	readonly name: string;
	/** True if the call has a command line. */
	readonly isCommand: boolean;
}

/**
 * The name of a call wherever it is shown on one line. Agents word titles freely, so a command is shown instead of a title that does not
 * end with it, or after the title if the command is a word of an editor's tool. Pure; depends on types only, so the page can load it.
 * @param redacted takes the secrets out of a text, before a part of it is left out by which a secret is recognized
 */
export function askedName(asked: string, input: Preview | undefined, redacted = (text: string) => text): AskedName {
	const { command: line, isSubcommand } = given(input);
	return nameOf(redacted(asked), line === undefined ? undefined : redacted(line), isSubcommand);
}

function nameOf(title: string, command: string | undefined, isSubcommand: boolean): AskedName {
	if (command === undefined) return { name: title, isCommand: false };
	const line = onOneLine(command);
	if (isSubcommand) return { name: title.includes(command) ? title : `${title}: ${line}`, isCommand: false };
	return { name: commandName(title, command), isCommand: true };
}

/** Whether a call's title was made by the bridge, so that it is not the agent's own name for the call. */
export function isUnnamedCall(title: string): boolean {
	return title === UNNAMED_CALL || title.startsWith(`${UNNAMED_CALL} (`);
}

/** The whole command line in a call's input; undefined if it has none that is known, or only the word of an editor's tool. */
export function commandOf(input: Preview | undefined): string | undefined {
	const { command, isSubcommand } = given(input);
	return isSubcommand ? undefined : command;
}

/**
 * The name of a call with a command. Many titles end with the command, after the name of the agent's tool.
 * @param isCut true if only the beginning of the command is known
 */
export function commandName(title: string, command: string, isCut = false): string {
	if (isCut) return `${beginningOf(withoutGaps(command.trim()))} …`;
	return endsWithIt(title, command) ? withoutGaps(title) : onOneLine(command);
}

/** Whether words that name a call are this command's name, which may include an end that is not known here. */
export function namesCut(words: string, command: string): boolean {
	return withEllipses(words).startsWith(withEllipses(`${beginningOf(withoutGaps(command.trim()))} …`));
}

/** A name as an earlier version wrote it, in which an ellipsis also stood for each line break. Names are compared in this form. */
export function withEllipses(words: string): string {
	return words.replaceAll(BREAK, " … ");
}

/** The name of a call that fetches: its title or, if the title does not contain the address that the input names, that address. */
export function fetchName(title: string, input: Preview | undefined): string {
	const url = input === undefined || input.truncated ? undefined : objectIn(input.text)?.url;
	if (typeof url !== "string" || url === "") return title;
	const words = title.split(/[\s`"'()<>]+/).map((word) => word.replace(/[.,]$/, ""));
	return words.includes(url) ? title : onOneLine(url);
}

function given(input: Preview | undefined): { readonly command?: string | undefined; readonly isSubcommand: boolean } {
	const object = input === undefined || input.truncated ? undefined : objectIn(input.text);
	const field = object && commandField(object);
	const command = field && commandIn(object?.[field]);
	if (object === undefined || command === undefined) return { isSubcommand: false };
	return { command, isSubcommand: SUBCOMMAND.test(command) && fileFields.some((name) => Object.hasOwn(object, name)) };
}

/** The one file that a call's input names; undefined if it names none or several, is truncated, or has nested parts that may name more. */
export function fileIn(input: Preview | undefined): string | undefined {
	const object = input === undefined || input.truncated ? undefined : objectIn(input.text);
	const entries: readonly (readonly [string, unknown])[] = Object.entries(object ?? {});
	if (entries.some(([, value]) => typeof value === "object" && value !== null)) return undefined;
	const files = new Set(entries.flatMap(([name, value]) => (fileFields.includes(name) && typeof value === "string" ? [value] : [])));
	const [file = ""] = files;
	return files.size === 1 && file !== "" ? file : undefined;
}

/** Kinds whose verb says what is done to a file. */
const ofFiles: ReadonlySet<ToolKind> = new Set(["read", "edit", "delete", "move", "search"]);

/** What is done to files, worded to continue a sentence: "edit notes.md". Only the files if the kind has no verb for that. */
export function doneToFiles(kind: ToolKind, files: string): string {
	return ofFiles.has(kind) ? `${kind} ${files}` : files;
}

/** The field of a call's input that has the command line. If both have one, `command` names the call. */
export function commandField(input: Fields): "command" | "cmd" | undefined {
	if (commandIn(input.command) !== undefined) return "command";
	return commandIn(input.cmd) === undefined ? undefined : "cmd";
}

/** The command line in a value that is a string or a list of words; undefined for any other value. */
export function commandIn(value: unknown): string | undefined {
	if (typeof value === "string") return value === "" ? undefined : value;
	if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === "string")) return undefined;
	return value.map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

function endsWithIt(title: string, command: string): boolean {
	const bare = title.trimEnd().replace(/`$/, "");
	if (title.includes("\n") || withoutGaps(title).length > SHOWN || !bare.endsWith(command)) return false;
	return LABEL.test(bare.slice(0, -command.length));
}

/** A command on one line. If it is too long, its middle is left out, because its end may do more than its beginning shows. */
function onOneLine(command: string): string {
	const line = withoutGaps(command.trim());
	if (line.length <= SHOWN) return line.toWellFormed();
	const end = line.slice(-END);
	const lastWords = end.slice(end.indexOf(" ") + 1);
	const shown = end.includes(" ") && lastWords.length >= LEAST ? lastWords : end;
	return `${beginningOf(line)} … ${shown.toWellFormed().replace(/^[…⏎] /, "")}`.trimEnd();
}

/** The first words of a command that is too long to be shown. */
function beginningOf(line: string): string {
	const begin = line.slice(0, SHOWN - END);
	const at = begin.lastIndexOf(" ");
	return begin
		.slice(0, at >= LEAST ? at : undefined)
		.toWellFormed()
		.trimEnd()
		.replace(/ […⏎]$/, "");
}

/**
 * A mark stands for each line break, after which another command may follow, and an ellipsis for each long gap, which would push the rest
 * of the line out of sight.
 */
function withoutGaps(text: string): string {
	return text.replace(/\s{8,}/g, (gap) => (gap.includes("\n") ? BREAK : " … ")).replace(/[^\S\n]{0,7}\n\s{0,7}/g, BREAK);
}

interface Fields {
	readonly command?: unknown;
	readonly cmd?: unknown;
	readonly url?: unknown;
}

function objectIn(text: string): Fields | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
	} catch {
		// Not JSON, so it has no fields.
		return undefined;
	}
}

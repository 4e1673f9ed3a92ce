import { createHash } from "node:crypto";
import {
	type Diff,
	doneToFiles,
	limits,
	moreSerious,
	omitUndefined,
	onlyLooks,
	type Preview,
	type Sha256,
	type SwappedCommand,
	type ToolCall,
	type ToolKind,
	type Unpermitted,
} from "@xworkmate/contracts";
import { commandOf, UNNAMED_CALL } from "@xworkmate/contracts/asked-name";
import type { ToolCallChange, ToolInput } from "./agent-update.ts";
import { namesCommand } from "./named-command.ts";
import { type AskedChanges, isOtherChange, otherFiles, type ReportedChange } from "./other-change.ts";
import { boundedTitle, previewOf } from "./preview.ts";
import { withoutShell } from "./shell-text.ts";
import { unshownOf } from "./shown-change.ts";

const SWAPPED_CHARACTERS = 300;
/** How many files are named in the title that is made for a call without one. */
const NAMED_FILES = 3;

/** How much of a reported change is kept. The amount is limited, because thousands of calls are remembered. A request shows less. */
const CHANGE_CHARACTERS = 2 * limits.previewBytes;

/** What is known about a call from the agent's reports and questions so far. */
export interface KnownTool {
	readonly title: string;
	/** True if the agent has given the call a title. */
	readonly saysTitle?: true;
	readonly toolKind: ToolKind;
	/** The most serious kind that the agent has given; absent if it has given none. */
	readonly statedKind?: ToolKind;
	/** True if a report or a question about it showed a change to a file. */
	readonly showsDiff?: true;
	readonly state: ToolCall["state"];
	readonly unpermitted?: Unpermitted;
	/** A denied command of another call, if this call contains that command in other words. */
	readonly deniedCommand?: string;
	readonly input?: Preview;
	/** The command line in the latest input. */
	readonly command?: string;
	/** The command line in the last input that had one. */
	readonly lastCommand?: string;
	/** The kind that the agent gave last, which may be less serious than an earlier one. */
	readonly latestKind?: ToolKind;
	/** Up to three of the files named by the last report or question that named any, as text. */
	readonly files?: string;
	/** What the last permission was given for. */
	readonly allowed?: Allowed;
	/** If the agent reported something other than what was allowed while the call ran: that, and the call's command at that time. */
	readonly instead?: { readonly swapped: SwappedCommand; readonly command?: string };
	/** The input that the agent last asked about. */
	readonly question?: Asked;
	/** What the call's content shows, such as a proposed change; used if there is no input. */
	readonly proposal?: Preview;
	/** The last text that came with a question about the call, or before the call began. It is not output of the call. */
	readonly says?: Preview;
	/** True if a report showed a text or a change after the call had begun. */
	readonly hasContent?: true;
	/** The last reported change to files. The input to compare it with may arrive later. */
	readonly change?: ReportedChange;
	/** Digests of the whole input and of the whole content; each is empty if there is none. */
	readonly inputDigest: string;
	readonly contentDigest: string;
}

/** `text`: the command line or, if the question showed none, the title. */
export interface Allowed extends Pick<KnownTool, "command" | "toolKind" | "showsDiff">, AskedChanges {
	readonly text: string;
	readonly looks: boolean;
	/**
	 * Where a question without a command may have named one: its title, its content, and the command of the call as it was announced. Absent
	 * if one of these texts was cut off, because the missing part may have named the command.
	 */
	readonly shown?: readonly string[];
}

interface Asked extends Pick<KnownTool, "command" | "inputDigest" | "showsDiff">, Partial<AskedChanges> {
	/** The command of the call as it was announced, if the question has an empty input. */
	readonly announced?: string;
}

/** True if the call has ended or was denied. */
export function hasFinished({ state }: KnownTool): boolean {
	return state !== "pending" && state !== "running";
}

/** Kinds that imply a change. `other`, or no stated kind, does not. */
const changing: ReadonlySet<ToolKind | undefined> = new Set<ToolKind>(["edit", "delete", "move", "execute"]);

/** True if an input differs from an earlier one: in its command, if both have one, otherwise as a whole. */
export function isOtherInput(before: Asked, { whole, command }: ToolInput): boolean {
	if (command !== undefined && before.command !== undefined) return !isSame(command, before.command);
	return before.inputDigest !== "" && sha256(whole) !== before.inputDigest;
}

/** Returns the call after another report or question about it. `isAsked`: a question about the call has not been answered yet. */
export function merge(known: KnownTool | undefined, change: ToolCallChange, isAsked = false): KnownTool {
	const isNamed = known !== undefined && known.title !== UNNAMED_CALL;
	const title = change.title ?? (isNamed ? known.title : titleByFiles(change));
	const showsDiff = known?.showsDiff === true || change.diff !== undefined;
	const statedKind = moreSerious(known?.statedKind, change.toolKind);
	const input = change.input?.preview ?? known?.input;
	const proposal = proposalOf(change) ?? known?.proposal;
	const saysTitle = change.title !== undefined || known?.saysTitle === true;
	const reportedChange = change.diff === undefined ? known?.change : keptOf(change.diff, input, change.lacksDiffs);
	const command = change.input === undefined ? known?.command : (change.input.command ?? commandOf(change.input.preview));
	const lastCommand = command ?? known?.lastCommand;
	const allowed = known?.allowed;
	const isDenied = known?.state === "denied";
	const state = laterState(known?.state ?? "pending", change.state);
	// A command whose exit is shown has run, even if it failed.
	const hasRun = change.state === "completed" || (change.state === "failed" && change.hasExited === true);
	const without = !hasRun ? undefined : isDenied ? "denied" : isAsked ? "unanswered" : undefined;
	const hasEnded = state === "completed" || state === "failed";
	const latestKind = change.toolKind ?? known?.latestKind;
	const files = filesOf(change) ?? known?.files;
	const reported = { statedKind, latestKind, command, input, showsDiff, diff: change.diff };
	const isAnother = hasEnded && allowed !== undefined && isOther(allowed, reported);
	const unpermitted = without ?? known?.unpermitted ?? (isAnother ? "another" : undefined);
	return {
		title,
		...(saysTitle && { saysTitle }),
		toolKind: kindOf(statedKind, showsDiff && state === "completed"),
		...(showsDiff && { showsDiff }),
		...(statedKind === undefined ? {} : { statedKind }),
		state,
		...omitUndefined({ command, lastCommand, latestKind, files, allowed }),
		...(known?.deniedCommand === undefined ? {} : { deniedCommand: known.deniedCommand }),
		...(known?.instead === undefined ? {} : { instead: known.instead }),
		...(known?.question === undefined ? {} : { question: known.question }),
		inputDigest: change.input === undefined ? (known?.inputDigest ?? "") : sha256(change.input.whole),
		contentDigest: change.content === undefined ? (known?.contentDigest ?? "") : sha256(change.content),
		...(input === undefined ? {} : { input }),
		...(proposal === undefined ? {} : { proposal }),
		...(known?.says === undefined ? {} : { says: known.says }),
		...(known?.hasContent === true && { hasContent: true }),
		...(reportedChange === undefined ? {} : { change: reportedChange }),
		...(unpermitted === undefined ? {} : { unpermitted }),
	};
}

/**
 * A call that shows a change is an edit, also if its agent says that it only looks. Only a completed call becomes one, because a rule for
 * edits must not answer a question about a call without a stated kind.
 */
function kindOf(stated: ToolKind | undefined, hasChanged: boolean): ToolKind {
	if (hasChanged && (stated === undefined || onlyLooks(stated))) return "edit";
	return stated ?? "other";
}

/** A title for a call that has none, because an agent may report a call that it never announced. */
function titleByFiles(change: ToolCallChange): string {
	const files = filesOf(change);
	return files === undefined ? UNNAMED_CALL : boundedTitle(`${UNNAMED_CALL} (${files})`);
}

function filesOf({ diff = [], locations = [] }: ToolCallChange): string | undefined {
	const paths = [...new Set([...diff, ...locations].map(({ path }) => path))];
	return paths.length === 0 ? undefined : paths.slice(0, NAMED_FILES).join(", ");
}

/** Kinds of calls that change files and are not commands. */
const ofFiles: ReadonlySet<ToolKind | undefined> = new Set<ToolKind>(["edit", "delete", "move"]);

interface Reported {
	readonly statedKind?: ToolKind | undefined;
	readonly latestKind?: ToolKind | undefined;
	readonly command?: string | undefined;
	readonly input?: Preview | undefined;
	readonly showsDiff: boolean;
	readonly diff?: readonly Diff[] | undefined;
}

/** Whether an agent certainly reports something other than what was allowed. */
export function isOther(allowed: Allowed, reported: Reported): boolean {
	const { statedKind, command, input, diff = [] } = reported;
	if (isOtherChange(allowed.changes, diff) || otherFiles(allowed, diff).length > 0) return true;
	if (allowed.looks && changing.has(statedKind)) return true;
	if (allowed.command === undefined) return isUnnamed(allowed, commandOf(input));
	return isOfFiles(allowed, reported) || (command !== undefined && !isSame(command, allowed.command));
}

/** True if a question showed no command, and its texts did not name the reported command either. */
function isUnnamed({ shown }: Allowed, command: string | undefined): boolean {
	return command !== undefined && shown !== undefined && !namesCommand(shown, withoutShell(command));
}

/** Whether a call allowed as a command is reported as a change to files instead. A command's report may also show changes to files. */
function isOfFiles(allowed: Allowed, { latestKind, command, showsDiff }: Reported): boolean {
	// Without a kind, what looks like a command may be an argument of an editor's tool: {"command": "write", "path": "a.md"}.
	const isCommand = command === undefined || allowed.toolKind !== "other";
	if (ofFiles.has(latestKind)) return latestKind !== allowed.toolKind && isCommand;
	return command === undefined && showsDiff && allowed.showsDiff !== true;
}

/** A completed call can only change to failed, and a failed or denied call never changes, whatever the agent reports later. */
function laterState(before: ToolCall["state"], now: ToolCall["state"] = before): ToolCall["state"] {
	if (before === "denied" || before === "failed") return before;
	return before === "completed" && now !== "failed" ? before : now;
}

/** Compares commands without padding or a surrounding shell, because some agents add them only when they ask or only when they report. */
function isSame(one: string, other: string): boolean {
	return withoutShell(one) === withoutShell(other);
}

/**
 * What was allowed, and what the agent reports instead, if it reports something else; or the denied command that a call contains in other
 * words.
 */
export function swappedIn(tool: KnownTool): Pick<ToolCall, "swapped" | "deniedCommand"> {
	const { unpermitted, allowed, instead, deniedCommand } = tool;
	if (unpermitted === "denied" && deniedCommand !== undefined) return { deniedCommand: firstOf(deniedCommand) };
	if (unpermitted !== "another" || allowed === undefined) return {};
	const swapped = instead?.swapped ?? swapOf(tool, allowed);
	return swapped === undefined ? {} : { swapped };
}

/** What was allowed, and what the agent now reports; undefined if both are worded the same. */
export function swapOf(tool: KnownTool, allowed: Allowed): SwappedCommand | undefined {
	const command = allowed.command === undefined ? commandOf(tool.input) : tool.command;
	const others = otherFiles(allowed, tool.change?.diff ?? []);
	if (others.length > 0) return { allowed: editOf(allowed.changedFiles ?? []), reported: editOf(others) };
	if (!allowed.looks && allowed.command === undefined && command === undefined) return undefined;
	const isInstead = allowed.command !== undefined && isOfFiles(allowed, { ...tool, showsDiff: tool.showsDiff === true });
	const reported = isInstead ? changeIn(tool, allowed) : (command ?? tool.title);
	return allowed.text === reported ? undefined : { allowed: firstOf(allowed.text), reported: firstOf(reported) };
}

function editOf(files: readonly string[]): string {
	return firstOf(doneToFiles("edit", files.slice(0, NAMED_FILES).join(", ")));
}

/** Describes a reported change to files: "edit notes.md". Without known files: the title, unless it is still that of the command. */
function changeIn({ latestKind, title, files }: KnownTool, { text }: Allowed): string {
	const kind = latestKind !== undefined && ofFiles.has(latestKind) ? latestKind : "edit";
	if (files !== undefined) return doneToFiles(kind, files);
	return title === text ? kind : title;
}

function firstOf(command: string): string {
	return command.slice(0, SWAPPED_CHARACTERS).toWellFormed();
}

function proposalOf({ diff, lacksDiffs, output }: ToolCallChange): Preview | undefined {
	if (diff === undefined) return output;
	return changesText(diff, lacksDiffs);
}

function changesText(diff: readonly Diff[], isCut = false): Preview {
	const preview = previewOf(diff.map(changeText).join("\n\n"));
	return isCut || diff.some(({ truncated }) => truncated) ? { ...preview, truncated: true } : preview;
}

/**
 * As much of a change as is kept. If the change is too long, the parts that the input doesn't show have priority. `lacksDiffs`: the report
 * had more parts.
 */
function keptOf(diff: readonly Diff[], input: Preview | undefined, lacksDiffs = false): ReportedChange {
	const kept = new Set<Diff>();
	let left = CHANGE_CHARACTERS;
	for (const one of new Set([...unshownOf(diff, input), ...diff])) {
		left -= one.path.length + (one.oldText ?? "").length + one.newText.length;
		if (left >= 0) kept.add(one);
	}
	return { diff: diff.filter((one) => kept.has(one)), isCut: lacksDiffs || left < 0 };
}

/**
 * The changes whose file or new text the latest input does not show. If there are none, but not all of the change was kept, returns what
 * was kept. Undefined if everything is shown, or if the agent sent no input and the changes are shown instead.
 */
export function unshownChange({ change, input }: KnownTool): Preview | undefined {
	if (change === undefined || input === undefined) return undefined;
	const unshown = unshownOf(change.diff, input);
	if (change.isCut) return changesText(unshown.length === 0 ? change.diff : unshown, true);
	return unshown.length === 0 ? undefined : changesText(unshown);
}

/** A proposed change as text. For an existing file, it includes the text to be replaced. */
function changeText({ path, oldText, newText }: Diff): string {
	if (oldText === undefined || oldText === "") return `${path}:\n${newText}`;
	// A line feed at the end of both texts does not begin a line of its own.
	const isEnded = [oldText, newText].every((text) => text === "" || text.endsWith("\n"));
	const marked = (sign: string, text: string) => (isEnded ? text.slice(0, -1) : text).replace(/^/gm, `${sign} `);
	return `${path}:\n${marked("-", oldText)}\n${newText === "" ? "" : marked("+", newText)}`.trimEnd();
}

export function sha256(text: string): Sha256 {
	return createHash("sha256").update(text).digest("hex");
}

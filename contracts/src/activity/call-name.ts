import type { Receipt } from "../receipts/receipt.ts";
import { visible } from "../text/visible.ts";
import { commandName, fetchName, fileIn, namesCut, withEllipses } from "../tools/asked-name.ts";
import { type ReportedLine, reportedLine, saysNothing } from "../tools/reported-command.ts";
import type { ActivityItem } from "./activity.ts";

type CallName = Pick<ActivityItem, "words" | "title" | "command" | "commandTruncated" | "file">;

/** How much of a command is kept, in UTF-16 units. */
const COMMAND = 1_000;

/** Matches the tool ids of reported calls that are about files. */
const OF_FILES = /:(?:edit|delete|move)$/;

/**
 * The name of a call after one more of its receipts. An agent words its titles freely, so a reported call is named by the files that the
 * bridge looked at, by its command, or by the files that the call itself names, whichever is known. The words of an agent's request for
 * approval replace the title that it reported earlier, since they are what the decision was about, unless they are the command. Pure.
 */
export function nameAfter(earlier: CallName | undefined, receipt: Receipt): CallName {
	const { words = "", decision, origin, input, detail } = receipt;
	if (origin !== "reported") return { words: earlier === undefined || earlier.words === "" ? visible(words) : earlier.words };
	const isAsked = decision !== undefined && receipt.words !== undefined;
	const before = earlier?.title ?? earlier?.words ?? "";
	const isGiven = input !== undefined && !saysNothing(input);
	const asked = isGiven ? reportedLine("", input) : knownLine(earlier);
	const title = before === "" || (isAsked && !isLineOf(asked, words)) ? words : before;
	const isNew = earlier === undefined || isGiven || (isAsked && earlier.command === undefined);
	const line = isNew ? reportedLine(title, input) : undefined;
	const { command, isCut } = (isNew ? line : knownLine(earlier)) ?? {};
	const file = typeof detail?.file === "string" ? detail.file : earlier?.file;
	const name = file ?? (command === undefined ? objectAfter(earlier, receipt, title) : commandName(title, command, isCut));
	return {
		words: visible(name),
		...(name !== title && { title: visible(title) }),
		...(line === undefined ? keptCommand(earlier, isNew) : shownLine(line)),
		...(file !== undefined && { file: visible(file) }),
	};
}

/**
 * Whether these words are the command rather than the agent's title. A request for approval may be named by its command. Receipts of an
 * earlier version have a long command's beginning, or its first line, and an ellipsis.
 */
function isLineOf(line: ReportedLine | undefined, words: string): boolean {
	if (line === undefined) return false;
	const { command, isCut } = line;
	if (isCut && namesCut(visible(words), visibleLines(command))) return true;
	const isBeginning = words.endsWith(" …") && command.startsWith(words.slice(0, -2));
	return isBeginning || withEllipses(visible(words)) === withEllipses(visible(commandName("", command)));
}

function knownLine(earlier: CallName | undefined): ReportedLine | undefined {
	if (earlier?.command === undefined) return undefined;
	return { command: earlier.command, isCut: earlier.commandTruncated === true };
}

function keptCommand(earlier: CallName | undefined, isNew: boolean): Pick<CallName, "command" | "commandTruncated"> {
	const { command, commandTruncated } = isNew ? {} : (earlier ?? {});
	return { ...(command !== undefined && { command }), ...(commandTruncated !== undefined && { commandTruncated }) };
}

/** Keeps the line breaks of a command, because a shell ends a command at the end of a line. */
function shownLine({ command, isCut }: ReportedLine): Pick<CallName, "command" | "commandTruncated"> {
	return { command: visibleLines(command.slice(0, COMMAND)), ...((isCut || command.length > COMMAND) && { commandTruncated: true }) };
}

function visibleLines(command: string): string {
	return command.replaceAll("\t", " ").split(/\r?\n/u).map(visible).join("\n");
}

/** Names a fetch by its address, and a call that changes files by the files. If a later receipt has neither, the name is kept. */
function objectAfter(earlier: CallName | undefined, { toolId, input, detail }: Receipt, title: string): string {
	const isOfFiles = toolId !== undefined && OF_FILES.test(toolId);
	if (!isOfFiles && toolId?.endsWith(":fetch") !== true) return title;
	const kept = earlier?.title !== undefined && earlier.command === undefined && earlier.file === undefined ? earlier.words : undefined;
	if (!isOfFiles) return input === undefined && kept !== undefined ? kept : fetchName(title, input);
	const named = typeof detail?.named === "string" ? detail.named : fileIn(input);
	return named ?? kept ?? title;
}

import type { Approval } from "@xworkmate/contracts";
import { words } from "../../../strings/interface.ts";
import { type AskedPart, type AskedView, askedView, isCalledOtherwise } from "../../../text/calls/asked-view.ts";
import { revealedLine } from "../../../text/printable.ts";

/** The label of a change that the agent reported in addition to the call's input. The change is only what the agent says it would do. */
export const changeName = words.thread.reportedChange.toLowerCase();

/** The label of the agent's own text about its call. */
export const saysName = words.ask.agentsWords.toLowerCase();

const SHOWN = 300;
/** The maximum number of files and addresses in a list. `approvals show` prints the others. */
const MOST_PLACES = 3;

/**
 * What an agent wants to do, below the line that names the request: a command, or two if the input has two; files or addresses, or else the
 * input; environment variables; the change and the text that it reports; the folder; files that it names elsewhere; and its own title. Each on one line.
 */
export function askedLines(approval: Approval, head: string): readonly string[] {
	const view = askedView(approval);
	const { command, text, parts, directory } = view;
	const { alsoNamed = [], proposed, says } = approval;
	const main = command ?? text;
	const isTitle = main === head && !isShortened(main);
	const places = parts.filter(({ is, value }) => (is === "file" || is === "url") && (value !== head || isShortened(value)));
	const rest = places.length - MOST_PLACES;
	const otherCommands = parts.filter(({ name }) => name === "command" || name === "cmd");
	const environments = parts.filter(({ is }) => is === "environment");
	const lines = [
		...(main === undefined || isTitle ? [] : [`${command === undefined ? "input" : "command"}: ${inOneLine(main)}`]),
		...otherCommands.map((part) => `${nameOf(part)}: ${inOneLine(part.value)}`),
		...places.slice(0, MOST_PLACES).map((part) => `${nameOf(part)}: ${inOneLine(part.value)}`),
		...(rest > 0 ? [`and ${rest} more`] : []),
		...environments.map((part) => `${nameOf(part)}: ${inOneLine(part.value)}`),
		...(proposed === undefined ? [] : [changeLine(proposed)]),
		...(says === undefined ? [] : [`${saysName}: ${inOneLine(says.text)}`]),
		...(directory === undefined ? [] : [`folder: ${inOneLine(directory)}`]),
		...(alsoNamed.length === 0 ? [] : [alsoNamedLine(alsoNamed)]),
		...(isCalledOtherwise(view) ? [calledLine(view)] : []),
	];
	return lines.map((line) => `  ${line}`);
}

/** The beginning of the reported change. `approvals show` prints the rest of what is stored, which may itself be only a part. */
function changeLine({ text, truncated }: NonNullable<Approval["proposed"]>): string {
	return `${changeName}${truncated ? " (not all of it is stored)" : ""}: ${inOneLine(text)}`;
}

/** The files that the agent names for a call elsewhere than in its input. */
function alsoNamedLine(files: readonly string[]): string {
	const rest = files.length - MOST_PLACES;
	const named = files.slice(0, MOST_PLACES).map((file) => inOneLine(file));
	return `${words.ask.alsoNames.toLowerCase()}: ${[...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ")}`;
}

/** The agent chooses its title freely, so the line says that the title is the agent's. */
export function calledLine({ title = "" }: AskedView): string {
	return `the agent calls it: ${revealedLine(title)}`;
}

function nameOf({ is, name }: AskedPart): string {
	return is === undefined ? revealedLine(name) : words.ask.parts[is].toLowerCase();
}

/** True if a list would shorten this title, so that the list does not show all of it. */
function isShortened(title: string): boolean {
	return title.includes("\n") || revealedLine(title) !== revealedLine(title, SHOWN);
}

/** Shows a line break as a visible `\n`, because the text after it may be another command. */
function inOneLine(text: string): string {
	return revealedLine(text.trimEnd().replace(/\r?\n/gu, "\\n"), SHOWN);
}

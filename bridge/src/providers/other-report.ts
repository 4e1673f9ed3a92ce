import { isAbsolute, normalize } from "node:path";
import type { Preview, ToolKind } from "@xworkmate/contracts";
import { commandOf, fetchName, fileIn } from "@xworkmate/contracts/asked-name";
import type { ToolCallChange } from "./agent-update.ts";
import { hasFinished, type KnownTool } from "./known-tool.ts";
import { withoutShell } from "./shell-text.ts";

/**
 * Whether a report under the id of a known call is certainly about another call: it names a different command, file or address or, unless
 * both name a command, states a different kind. For a call that has not ended, both have to differ, because its input or its kind may still
 * arrive.
 */
export function isOtherReport(known: KnownTool, { toolKind, input }: ToolCallChange): boolean {
	const isOtherKind = isStated(known.latestKind) && isStated(toolKind) && toolKind !== known.latestKind;
	const [before, now] = [known.lastCommand, input?.command ?? commandOf(input?.preview)];
	const hasCommands = before !== undefined && now !== undefined;
	const isOther = hasCommands ? withoutShell(before) !== withoutShell(now) : isOtherObject(known.input, input?.preview);
	if (!hasFinished(known)) return isOtherKind && isOther;
	return isOther || (isOtherKind && !hasCommands);
}

function isStated(kind: ToolKind | undefined): boolean {
	return kind !== undefined && kind !== "other";
}

/** Whether both inputs name a file or an address, and the two differ by more than their spelling. */
function isOtherObject(before: Preview | undefined, now: Preview | undefined): boolean {
	const [one, other] = [objectIn(before), objectIn(now)];
	return one !== undefined && other !== undefined && !endsWith(one, other) && !endsWith(other, one);
}

function objectIn(input: Preview | undefined): string | undefined {
	const object = fileIn(input) ?? fetchName("", input);
	if (object === "") return undefined;
	return object.includes("://") ? (URL.parse(object)?.href.replace(/^file:\/\//, "") ?? object) : normalize(object);
}

/**
 * True if both paths may be the same: `end` may be relative to the working directory, or reach the file through a link, as /tmp/a does for
 * /private/tmp/a.
 */
function endsWith(path: string, end: string): boolean {
	return path === end || path.endsWith(isAbsolute(end) ? end : `/${end}`);
}

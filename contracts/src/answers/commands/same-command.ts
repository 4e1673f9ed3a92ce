import { commandOf } from "../../tools/asked-name.ts";
import type { Preview } from "../../tools/tool-call.ts";
import { shellLine } from "./shell-line.ts";

/**
 * True if an input's command is known to differ from that of an earlier one. A shell around the command makes no difference, because some
 * agents show it only in one of the two. Pure.
 */
export function isOtherCommand(earlier: Preview, later: Preview): boolean {
	const [before, now] = [commandOf(earlier), commandOf(later)];
	return before !== undefined && now !== undefined && plain(before) !== plain(now);
}

function plain(command: string): string {
	const { commands, operators } = shellLine(command.trim());
	return JSON.stringify([commands, operators]);
}

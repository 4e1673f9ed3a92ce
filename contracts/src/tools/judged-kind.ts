import { kindOfCommand, onlyLooks } from "./looking-kind.ts";
import { onlyReads } from "./only-reads.ts";
import { reportedCommand } from "./reported-command.ts";
import type { Preview, ToolKind } from "./tool-call.ts";

/**
 * The kind of a reported call, judged by the command in its input: an agent may call a command a read. A call with a command that is said
 * to change nothing gets the kind `execute`, unless the command certainly only reads. Pure; depends on types only.
 */
export function judgedKind(toolKind: ToolKind, input: Preview | undefined): ToolKind {
	if (input === undefined || !onlyLooks(toolKind)) return toolKind;
	const command = reportedCommand("", input);
	if (command === undefined) return toolKind;
	return !input.truncated && onlyReads(command) ? toolKind : kindOfCommand(toolKind);
}

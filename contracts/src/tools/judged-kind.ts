import { onlyReads } from "./only-reads.ts";
import { reportedCommand } from "./reported-command.ts";
import type { Preview, ToolKind } from "./tool-call.ts";

/** Kinds that claim to change nothing here. */
const looking: ReadonlySet<ToolKind> = new Set(["read", "search", "think", "fetch", "switch_mode"]);

/** True for a kind of call that claims to change nothing here. */
export function onlyLooks(toolKind: ToolKind): boolean {
	return looking.has(toolKind);
}

/**
 * The kind of a reported call, judged by the command in its input: an agent may call a command a read. The command of a call that is said
 * to change nothing is `execute`, unless it certainly only reads. Pure; depends on types only.
 */
export function judgedKind(toolKind: ToolKind, input: Preview | undefined): ToolKind {
	if (input === undefined || !onlyLooks(toolKind)) return toolKind;
	const command = reportedCommand("", input);
	if (command === undefined) return toolKind;
	return !input.truncated && onlyReads(command) ? toolKind : "execute";
}

import { moreSerious } from "@xworkmate/contracts";
import type { ToolCallChange } from "./agent-update.ts";
import type { KnownTool } from "./known-tool.ts";

/**
 * The report of a call, as failed if it calls a command done whose text says that it failed. Only commands are judged: a call that reads a
 * log shows such a text too. Pure.
 */
export function judgedByText(change: ToolCallChange, known: KnownTool | undefined): ToolCallChange {
	const isDone = change.saysFailed === true && change.state === "completed";
	return isDone && moreSerious(known?.statedKind, change.toolKind) === "execute" ? { ...change, state: "failed" } : change;
}

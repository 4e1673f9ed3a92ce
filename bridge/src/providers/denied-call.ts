import type { ToolCallChange } from "./agent-update.ts";
import { type KnownTool, sha256 } from "./known-tool.ts";

/**
 * True if an agent reports that a denied call runs, and with output that it had not shown before. Without output, the report may have crossed
 * the denial, and what comes with a failure is usually the reason. A change of files may be only what the agent proposed.
 */
export function goesOn(before: KnownTool | undefined, { state, content, output }: ToolCallChange): boolean {
	if (before?.state !== "denied" || state !== "running" || output === undefined || output.text.trim() === "") return false;
	const isShown = [before.says, before.proposal].some((shown) => shown?.text === output.text);
	return !isShown && (content === undefined || sha256(content) !== before.contentDigest);
}

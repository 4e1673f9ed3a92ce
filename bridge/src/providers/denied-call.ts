import type { ToolCallChange } from "./agent-update.ts";
import { type KnownTool, sha256 } from "./known-tool.ts";

/**
 * True if an agent reports a denied call as running, with output that it had not shown before. Other reports prove nothing: one without
 * output may have been sent before the denial arrived, text that comes with a failure is usually its reason, and a change of files may be
 * only what the agent proposed.
 */
export function goesOn(before: KnownTool | undefined, { state, content, output }: ToolCallChange): boolean {
	if (before?.state !== "denied" || state !== "running" || output === undefined || output.text.trim() === "") return false;
	const isShown = [before.says, before.proposal].some((shown) => shown?.text === output.text);
	return !isShown && (content === undefined || sha256(content) !== before.contentDigest);
}

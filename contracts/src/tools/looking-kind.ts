import type { ToolKind } from "./tool-call.ts";

/** Kinds that claim to change nothing here. */
const looking: ReadonlySet<ToolKind> = new Set(["read", "search", "think", "fetch", "switch_mode"]);

/** True for a kind of call that claims to change nothing here. Depends on types only, so the page can load it. */
export function onlyLooks(toolKind: ToolKind): boolean {
	return looking.has(toolKind);
}

/**
 * The kind of a call that has a command. The kind is only what the agent states, so a kind that claims to change nothing becomes `execute`.
 * Depends on types only, so the page can load it.
 */
export function kindOfCommand(toolKind: ToolKind): ToolKind {
	return onlyLooks(toolKind) ? "execute" : toolKind;
}

import type { ToolKind } from "@xworkmate/contracts";
import { type HeldToolCall, textParam } from "./tool-call.ts";
import { writtenPaths } from "./written-paths.ts";

/** Tools of OpenClaw 2026.9 that change nothing, here or elsewhere. A tool that is not named here acts. */
const READ_ONLY: ReadonlySet<string> = new Set([
	"agents_list",
	"agents_wait",
	"ask_user",
	"find",
	"get_goal",
	"github_identity_status",
	"grep",
	"ls",
	"memory_get",
	"memory_search",
	"progress_card",
	"read",
	"sessions_history",
	"sessions_list",
	"sessions_search",
	"sessions_yield",
	"update_plan",
	"web_search",
]);

/** Actions of tools that otherwise act. */
const READ_ONLY_ACTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
	process: new Set(["list", "poll", "log"]),
	subagents: new Set(["list", "wait"]),
	secrets: new Set(["list"]),
};

const KINDS: Readonly<Record<string, ToolKind>> = {
	exec: "execute",
	process: "execute",
	write: "edit",
	edit: "edit",
	apply_patch: "edit",
	web_fetch: "fetch",
};

/** Whether a tool call acts beyond the run's scope, as far as its name and params tell. `isInScope` judges one written path. */
export function actsBeyondScope(call: HeldToolCall, isInScope: (path: string) => boolean): boolean {
	if (isReadOnly(call)) return false;
	const written = writtenPaths(call);
	return written === undefined || !written.every(isInScope);
}

/** True for a call that changes nothing. */
export function isReadOnly(call: HeldToolCall): boolean {
	if (READ_ONLY.has(call.toolName)) return true;
	if (call.toolName === "session_status") return call.params.model === undefined;
	const actions = Object.hasOwn(READ_ONLY_ACTIONS, call.toolName) ? READ_ONLY_ACTIONS[call.toolName] : undefined;
	return actions?.has(textParam(call, "action") ?? "") === true;
}

/** The contract's kind of an OpenClaw tool. */
export function toolKindOf(toolName: string): ToolKind {
	return Object.hasOwn(KINDS, toolName) ? (KINDS[toolName] ?? "other") : "other";
}

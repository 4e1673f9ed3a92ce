import type { ToolKind } from "@xworkmate/contracts";
import { type HeldToolCall, textParam } from "./tool-call.ts";
import { namedPath } from "./tool-path.ts";
import { writtenPaths } from "./written-paths.ts";

/**
 * Tools of OpenClaw 2026.9 that change nothing anywhere, and do not show other conversations (for those in `FILE_READERS`, that depends on
 * the path). All other tools act, apart from the exceptions in `isReadOnly`.
 */
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
	"sessions_yield",
	// `tool_call` makes another call, which is judged and tracked under its own name.
	"tool_search",
	"tool_describe",
	"tool_call",
	"update_plan",
	"web_search",
]);

/** Read-only actions of tools that otherwise act. */
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
	read: "read",
	ls: "search",
	find: "search",
	grep: "search",
	web_fetch: "fetch",
};

/** Whether a tool call acts beyond the run's scope, judging by its name and params. `isInScope` checks one written path. */
export function actsBeyondScope(call: HeldToolCall, isInScope: (path: string) => boolean): boolean {
	if (isReadOnly(call)) return false;
	const written = writtenPaths(call);
	return written === undefined || !written.every(isInScope);
}

/** Tools that read files, and whether they also read subfolders. */
const FILE_READERS: ReadonlyMap<string, { readonly isDeep: boolean }> = new Map([
	["read", { isDeep: false }],
	["ls", { isDeep: false }],
	["find", { isDeep: true }],
	["grep", { isDeep: true }],
]);

/** The path that a call reads, and whether it includes subfolders; undefined for a tool that reads no files. */
export function readPath(call: HeldToolCall): { readonly path: string; readonly isDeep: boolean } | undefined {
	const reader = FILE_READERS.get(call.toolName);
	return reader && { path: namedPath(call) ?? ".", ...reader };
}

/** True for a call that changes nothing. */
export function isReadOnly(call: HeldToolCall): boolean {
	if (READ_ONLY.has(call.toolName)) return true;
	if (call.toolName === "session_status") return call.params.model === undefined && call.params.sessionKey === undefined;
	const actions = Object.hasOwn(READ_ONLY_ACTIONS, call.toolName) ? READ_ONLY_ACTIONS[call.toolName] : undefined;
	return actions?.has(textParam(call, "action") ?? "") === true;
}

/** The kind that the contract assigns to an OpenClaw tool. */
export function toolKindOf(toolName: string): ToolKind {
	return Object.hasOwn(KINDS, toolName) ? (KINDS[toolName] ?? "other") : "other";
}

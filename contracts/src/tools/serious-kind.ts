import type { ToolKind } from "./tool-call.ts";

/**
 * How serious the worst effect of a tool of each kind is; a higher number is more serious. The order matches the risks that reported calls
 * get.
 */
const ranks: Readonly<Record<ToolKind, number>> = {
	execute: 4,
	delete: 4,
	edit: 3,
	move: 3,
	other: 2,
	switch_mode: 2,
	fetch: 1,
	read: 0,
	search: 0,
	think: 0,
};

/**
 * The kind of a call after its agent has stated it again: an agent can't make a call look less serious than it said before. Of equally
 * serious kinds, the later one. Depends on types only, so the page can load it.
 */
export function moreSerious(known: ToolKind | undefined, later: ToolKind | undefined): ToolKind | undefined {
	if (known === undefined || later === undefined) return later ?? known;
	return ranks[later] < ranks[known] ? known : later;
}

/** True if the first tool that an agent reported, such as `codex:execute`, is more serious than the second. */
export function isMoreSerious(toolId: string, than: string): boolean {
	return rankOf(toolId) > rankOf(than);
}

function rankOf(toolId: string): number {
	const kind = toolId.slice(toolId.lastIndexOf(":") + 1);
	return Object.hasOwn(ranks, kind) ? ranks[kind as ToolKind] : -1;
}

import type { ActionId } from "../../strings/codes.ts";

/** Offers the files if there are any, otherwise the run's log, which shows what happened. */
export function openable(actions: readonly ActionId[], files: number): readonly ActionId[] {
	if (files > 0) return [...new Set([...actions, "open_files" as const])];
	return [...new Set(actions.map((action) => (action === "open_files" ? "run_log" : action)))];
}

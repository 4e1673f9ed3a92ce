import type { RunFiles } from "../../core/ui-api.ts";
import { words } from "../words/interface.ts";
import { syncWords } from "../words/states.ts";

/** What a run's heading says of its files as a whole; nothing where one is gone since all were saved. */
export function savedWord({ files, count }: Pick<RunFiles, "files" | "count">, status: RunFiles["syncStatus"]): string | undefined {
	if (status === undefined) return undefined;
	if (status === "failed" && count > 0) return words.files.notSaved;
	const isGone = files.some(({ state }) => state === "missing" || state === "blocked");
	return status === "synced" && isGone ? undefined : syncWords[status];
}

import { count, fill, words } from "../../strings/interface.ts";
import type { Turn } from "../../threads/domain/thread.ts";

/**
 * What happened to the files of a run that saved none. For a success without files, a line says so, because the agent may claim to have
 * written a file.
 */
export function undeliveredLines(status: Turn["status"], collected: number): readonly string[] {
	if (collected === 0) return status === "completed" ? [`  ${words.outcome.noFiles}`] : [];
	return [`  ${fill(words.outcome.filesAtBridge, { files: count(collected, "file") })}`];
}

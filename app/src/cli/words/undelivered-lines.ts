import { count, fill, words } from "../../strings/interface.ts";
import type { Turn } from "../../threads/domain/thread.ts";

/** What became of the files of a run that saved none. An agent may claim that it wrote a file, so it is said that none was delivered. */
export function undeliveredLines(status: Turn["status"], collected: number): readonly string[] {
	if (collected === 0) return status === "completed" ? [`  ${words.outcome.noFiles}`] : [];
	return [`  ${fill(words.outcome.filesAtBridge, { files: count(collected, "file") })}`];
}

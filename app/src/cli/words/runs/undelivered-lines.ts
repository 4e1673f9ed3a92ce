import { count, fill, words } from "../../../strings/interface.ts";
import { noFilesWords } from "../../../text/runs/no-files-words.ts";
import type { Turn } from "../../../threads/domain/thread.ts";

/**
 * What happened to the files of a run that saved none. A success without files also has a line, because the agent may claim to have written
 * a file. `rejected`: how many of its files were rejected.
 */
export function undeliveredLines(status: Turn["status"], collected: number, rejected: number): readonly string[] {
	if (collected === 0) return status === "completed" ? [`  ${noFilesWords(rejected)}`] : [];
	return [`  ${fill(words.outcome.filesAtBridge, { files: count(collected, "file") })}`];
}

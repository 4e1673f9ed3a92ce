import type { Snapshot } from "@xworkmate/contracts";
import { words } from "../../strings/interface.ts";
import { sayCount } from "./actions-title.ts";

/** Says that a run delivered no files. If some of its files were rejected, the run did produce files, so the words count them. */
export function noFilesWords(rejected: number): string {
	return rejected === 0 ? words.outcome.noFiles : sayCount(rejected, words.outcome.noneAccepted);
}

/** The title of a success that had files rejected; undefined if it had none. */
export function rejectedTitle(rejected: number): string | undefined {
	return rejected === 0 ? undefined : sayCount(rejected, words.outcome.someRejected);
}

/** How many files of a run were rejected. The number may exceed that of the rejected files in the snapshot. */
export function rejectedCountOf(snapshot: Pick<Snapshot, "rejectedArtifacts" | "rejectedCount"> | undefined): number {
	return snapshot?.rejectedCount ?? snapshot?.rejectedArtifacts.length ?? 0;
}

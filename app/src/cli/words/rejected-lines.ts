import type { RejectedArtifact } from "@xworkmate/contracts";
import { rejectionWords } from "../../strings/states.ts";
import { oneLine } from "../../text/printable.ts";

/** The files that were not taken from a run, and why. `all`: more than are listed may have been rejected. */
export function rejectedLines(listed: readonly RejectedArtifact[], all = listed.length): readonly string[] {
	const lines = listed.map(({ path, reason }) => `  rejected: ${oneLine(path)} (${rejectionWords[reason]})`);
	return all > listed.length ? [...lines, `  rejected: ${all} files in all, ${listed.length} of them are listed`] : lines;
}

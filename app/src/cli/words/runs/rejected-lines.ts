import type { RejectedArtifact } from "@xworkmate/contracts";
import { count } from "../../../strings/interface.ts";
import { rejectionWords } from "../../../strings/runs/states.ts";
import { exactFileName } from "../../../text/file-names.ts";
import { oneLine } from "../../../text/printable.ts";

/** The rejected files of a run, each with the reason. `all`: how many were rejected in total, which may be more than are listed. */
export function rejectedLines(listed: readonly RejectedArtifact[], all = listed.length): readonly string[] {
	const lines = listed.map(({ path, reason }) => `  rejected: ${oneLine(exactFileName(path))} (${rejectionWords[reason]})`);
	return all > listed.length ? [...lines, `  rejected: ${count(all, "file")} in total, ${listed.length} of them listed`] : lines;
}

import { words } from "../../strings/interface.ts";
import { printable } from "../../text/printable.ts";
import type { ResultDetail } from "../../threads/domain/thread.ts";

/** Why files of a successful run are not in the thread's folder, and what to do about it. */
export function partialLines({ code, message, fix }: ResultDetail = {}): readonly string[] {
	const known = code === "DISK_FULL" ? "Free some space on the disk with the thread's folder." : words.outcome.filesRetried;
	return [printable(message ?? "Some files of the last run are not in the folder."), `  ${printable(fix ?? known)}`];
}

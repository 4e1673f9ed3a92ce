import type { Thread } from "../../threads/domain/thread.ts";
import { commandLine } from "../command-line.ts";
import { oneLine } from "../printable.ts";

/** The command that downloads a thread's missing files. An archived thread has to be restored first. */
export function syncLine({ threadId, lifecycleStatus }: Pick<Thread, "threadId" | "lifecycleStatus">): string {
	const id = oneLine(threadId, 200);
	const sync = commandLine(`sync ${id}`);
	return lifecycleStatus === "archived" ? `${commandLine(`threads restore ${id}`)} && ${sync}` : sync;
}

import { words } from "../../../strings/interface.ts";
import { isFetchedAgain } from "../../../text/files/fetched-again.ts";
import { printable } from "../../../text/printable.ts";
import { currentTurn, type Thread } from "../../../threads/domain/thread.ts";
import { savingFix } from "../terminal-fix.ts";

/** Why files of the thread's last successful run are not in its folder, and what to do about it. */
export function partialLines(thread: Pick<Thread, "threadId" | "turns" | "lifecycleStatus">): readonly string[] {
	const turn = currentTurn(thread);
	const { code, message, fix } = turn?.resultDetail ?? {};
	const isRetried = turn !== undefined && isFetchedAgain(thread, turn.turnId, Date.now());
	const known =
		code === "DISK_FULL"
			? "Free some space on the disk that holds the thread's folder."
			: isRetried
				? words.outcome.filesRetried
				: undefined;
	const todo = savingFix(code, fix, thread.threadId) ?? known;
	return [
		printable(message ?? "Some files of the last run are not in the folder."),
		...(todo === undefined ? [] : [`  ${printable(todo)}`]),
	];
}

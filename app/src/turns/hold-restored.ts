import { limits } from "@xworkmate/contracts";
import { findTurn, type ThreadStore } from "../threads/index.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";

const detail = {
	code: "STORE_RESTORED",
	message: "A backup was restored, so XWorkmate can't tell whether this message was sent after the backup was made. It was not sent again.",
	fix: "Check whether the message was sent. If it wasn't, and you still want it sent, send it again.",
} as const;

/**
 * Ends turns after the home was restored from a backup, because messages that the bridge had not confirmed may have been sent since the
 * backup was made. Unresolved turns stay unresolved, because UnresolvedTurns may still learn their outcome. Turns with a known run are
 * followed as usual; the bridge itself ends the runs that were active.
 */
export function holdRestored(store: Pick<ThreadStore, "pendingTurns" | "unresolvedTurns">, repository: ThreadRepository): void {
	const since = new Date(Date.now() - limits.unresolvedKeepMs).toISOString();
	for (const { threadId, turnId } of [...store.pendingTurns(), ...store.unresolvedTurns(since)]) {
		const turn = findTurn(repository.get(threadId), turnId);
		if (turn?.runId !== undefined) continue;
		const about = { turnId, at: timestamp(), detail };
		const isAsked = turn?.status === "unresolved";
		repository.execute(threadId, [isAsked ? { type: "fail_recovery", resultCode: "interrupted", ...about } : { type: "lose", ...about }]);
	}
}

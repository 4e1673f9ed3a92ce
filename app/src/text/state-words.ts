import { turnWords } from "../strings/turn-words.ts";
import type { Thread, TurnStatus } from "../threads/domain/thread.ts";
import { oneLine } from "./printable.ts";

/** A thread's state in the words of the page's list. */
export function threadStateWords({
	lifecycleStatus,
	turns,
	pendingTurnId,
}: Pick<Thread, "lifecycleStatus" | "turns" | "pendingTurnId">): string {
	if (lifecycleStatus === "archived") return "Archived";
	const last = turns.at(-1);
	if (last === undefined) return turnWords.new;
	return turnWords[last.status === "completed" && last.turnId === pendingTurnId ? "syncing" : last.status];
}

/** The state of a turn or a run, with its result code. */
export function turnStateWords(status: TurnStatus, code?: string): string {
	return code === undefined ? turnWords[status] : `${turnWords[status]} (${oneLine(code)})`;
}

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
	if (last.status !== "completed") return turnWords[last.status];
	if (last.turnId === pendingTurnId) return turnWords.syncing;
	return turnWords[last.syncStatus === "partial" ? "not_saved" : "completed"];
}

/** The state of a turn or a run, with its result code. */
export function turnStateWords(status: TurnStatus, code?: string): string {
	return code === undefined ? turnWords[status] : `${turnWords[status]} (${oneLine(code)})`;
}

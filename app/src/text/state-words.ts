import type { Lacking } from "@xworkmate/contracts";
import { lackingStates, stateWords } from "../strings/states.ts";
import { turnWords } from "../strings/turn-words.ts";
import { isSettled, type Thread, type TurnStatus } from "../threads/domain/thread.ts";
import { withFailedCommands } from "./failed-commands.ts";
import { oneLine } from "./printable.ts";
import { stopAskedWords } from "./stop-asked-words.ts";

/** A thread's state, in the words of the page's list. `isAsked`: the thread's run is waiting for an answer from the user. */
export function threadStateWords(
	{
		lifecycleStatus,
		turns,
		pendingTurnId,
		lacking,
		failedCommands,
	}: Pick<Thread, "lifecycleStatus" | "turns" | "pendingTurnId"> & {
		readonly lacking?: Lacking | undefined;
		readonly failedCommands?: number | undefined;
	},
	isAsked = false,
): string {
	if (lifecycleStatus === "archived") return "Archived";
	const last = turns.at(-1);
	if (last === undefined) return turnWords.new;
	const stop = stopAskedWords(last, Date.now());
	if (stop !== undefined) return stop;
	if (last.status !== "completed") return turnStateWords(last.status, undefined, isAsked);
	if (last.turnId === pendingTurnId) return turnWords.syncing;
	if (last.syncStatus === "partial") return turnWords.not_saved;
	return withFailedCommands(turnStateWords("completed", undefined, false, lacking), failedCommands);
}

/**
 * The state of a turn or a run, with its result code. `isAsked`: the run is waiting for an answer from the user, unless it has ended.
 * `lacking`: what is missing from a success, which is then shown under another name, as in the page's list.
 */
export function turnStateWords(status: TurnStatus, code?: string, isAsked = false, lacking?: Lacking): string {
	if (status === "completed" && code === undefined && lacking !== undefined) return stateWords[lackingStates[lacking]];
	if (isAsked && !isSettled(status)) return stateWords.needs_you;
	return code === undefined ? turnWords[status] : `${turnWords[status]} (${oneLine(code)})`;
}

import type { Lacking, Unpermitted } from "@xworkmate/contracts";
import { lackingStates, stateWords } from "../../strings/runs/states.ts";
import { turnWords } from "../../strings/runs/turn-words.ts";
import { isSettled, type Thread, type TurnStatus } from "../../threads/domain/thread.ts";
import { withUnpermitted } from "../calls/unpermitted-words.ts";
import { oneLine } from "../printable.ts";
import { withFailedCommands } from "./failed-commands.ts";
import { stopAskedWords } from "./stop-asked-words.ts";

/** A thread's state, in the words of the page's list. `isAsked`: the thread's run is waiting for an answer from the user. */
export function threadStateWords(
	{
		lifecycleStatus,
		turns,
		pendingTurnId,
		lacking,
		failedCommands,
		unpermitted,
	}: Pick<Thread, "lifecycleStatus" | "turns" | "pendingTurnId"> & {
		readonly lacking?: Lacking | undefined;
		readonly failedCommands?: number | undefined;
		readonly unpermitted?: Unpermitted | undefined;
	},
	isAsked = false,
): string {
	if (lifecycleStatus === "archived") return "Archived";
	const last = turns.at(-1);
	if (last === undefined) return turnWords.new;
	const stop = stopAskedWords(last, Date.now());
	if (stop !== undefined) return stop;
	if (last.status !== "completed") {
		return withUnpermitted(turnStateWords(last.status, undefined, isAsked), isSettled(last.status) ? unpermitted : undefined);
	}
	if (last.turnId === pendingTurnId) return turnWords.syncing;
	if (last.syncStatus === "partial") return withUnpermitted(turnWords.not_saved, unpermitted);
	const state = withFailedCommands(turnStateWords("completed", undefined, false, lacking, unpermitted), failedCommands);
	return withUnpermitted(state, unpermitted);
}

/**
 * The state of a turn or a run, with its result code. `isAsked`: the run is waiting for an answer from the user, unless it has ended.
 * `lacking`, `unpermitted`: what is missing from a success, and what its agent did without permission. The success is then shown under
 * another name, as in the page's list.
 */
export function turnStateWords(status: TurnStatus, code?: string, isAsked = false, lacking?: Lacking, unpermitted?: Unpermitted): string {
	if (status === "completed" && code === undefined && unpermitted !== undefined) return stateWords.permission_in_doubt;
	if (status === "completed" && code === undefined && lacking !== undefined) return stateWords[lackingStates[lacking]];
	if (isAsked && !isSettled(status)) return stateWords.needs_you;
	return code === undefined ? turnWords[status] : `${turnWords[status]} (${oneLine(code)})`;
}

import type { TurnId } from "@xworkmate/contracts";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { lackingStates, type ShownState, stateWords } from "../../strings/runs/states.ts";
import { withFailedCommands } from "../../text/runs/failed-commands.ts";
import { stopAskedAt } from "../../text/runs/stop-asked-at.ts";
import type { Turn, TurnStatus } from "../../threads/domain/thread.ts";
import { dayOf } from "../text/format.ts";

const byStatus: Readonly<Record<TurnStatus, ShownState>> = {
	waiting: "queued",
	sending: "sending",
	queued: "queued",
	running: "running",
	completed: "succeeded",
	failed: "failed",
	artifact_missing: "file_missing",
	cancelled: "cancelled",
	interrupted: "interrupted",
	refused: "not_sent",
	unresolved: "no_connection",
};

/** The current state of a turn. `pending`: whether the turn is the one that its thread waits for. */
function turnState(turn: Pick<Turn, "status" | "syncStatus">, pending: boolean): ShownState {
	const state = byStatus[turn.status];
	if (state !== "succeeded") return state;
	if (pending) return "syncing";
	return turn.syncStatus === "partial" ? "not_saved" : state;
}

/** The current state of a thread for its row. An open request takes precedence. */
export function threadState(thread: ThreadSummary, asked: boolean): ShownState {
	if (asked) return "needs_you";
	const { lastTurn } = thread;
	if (lastTurn === undefined) return "new";
	const state = turnState(lastTurn, thread.pendingTurnId === lastTurn.turnId);
	if (state !== "succeeded") return state;
	if (thread.unpermitted !== undefined) return "permission_in_doubt";
	return thread.lacking === undefined ? state : lackingStates[thread.lacking];
}

/**
 * The word that replaces the state's own: for a success in which commands failed, and for a run that was asked to stop. For a quiet state
 * whose run acted without permission, the state's own word, which an icon would otherwise replace. Undefined in all other cases.
 */
export function threadWord(
	{ failedCommands, lastTurn, unpermitted }: Pick<ThreadSummary, "failedCommands" | "lastTurn" | "unpermitted">,
	state: ShownState,
): string | undefined {
	if (state === "running" && stopAskedAt(lastTurn) !== undefined) return words.run.stopAsked;
	if (unpermitted !== undefined && isQuiet(state)) return stateWords[state];
	return failedCommands === undefined || !isFinished(state) ? undefined : withFailedCommands(stateWords[state], failedCommands);
}

/** True if the list already knows that a thread's newest turn is over. The thread itself is read a moment later. */
export function isTurnOver({ lastTurn, pendingTurnId }: Pick<ThreadSummary, "lastTurn" | "pendingTurnId">, turnId: TurnId): boolean {
	return lastTurn?.turnId === turnId && pendingTurnId !== turnId;
}

/** This page's contact with the app. */
export interface Hearing {
	/** True while the app answers. */
	readonly isLive: boolean;
	/** When the app last responded. */
	readonly heardAt: string | undefined;
}

/** Since when a row's state may be out of date; undefined if it is current, or if the run has ended. */
export function asOfThread({ thread, state }: ListedThread, { isLive, heardAt }: Hearing): string | undefined {
	if (!underWay.has(state) && state !== "needs_you") return undefined;
	return thread.asOf ?? (isLive ? undefined : heardAt);
}

/**
 * True if the thread's queue is paused until the user acts: the previous run did not succeed, or it did and messages are being edited or
 * held since an earlier run, or the app says that nothing sends the next one.
 */
export function isHeld({ queuedCount, editedCount = 0, isQueueStuck = false, pendingTurnId, lastTurn }: ThreadSummary): boolean {
	if (queuedCount === 0 || pendingTurnId !== undefined || lastTurn === undefined) return false;
	return lastTurn.status !== "completed" || editedCount > 0 || isQueueStuck;
}

export type ThreadGroup = "needs" | "pinned" | "failed" | "running" | "today" | "earlier" | "archived";

const endedBadly: ReadonlySet<ShownState> = new Set(["failed", "not_saved", "file_missing", "not_sent", "interrupted", "no_connection"]);
const underWay: ReadonlySet<ShownState> = new Set(["sending", "running", "queued", "syncing"]);

/** The thread's group in the list. Threads that failed today have their own group, and so have those that acted without permission. */
function groupOf(thread: ThreadSummary, state: ShownState, isToday: (timestamp: string) => boolean): ThreadGroup {
	if (thread.lifecycleStatus === "archived") return "archived";
	if (state === "needs_you") return "needs";
	if (underWay.has(state)) return "running";
	if (isHeld(thread)) return "needs";
	if (!isToday(thread.updatedAt)) return "earlier";
	return endedBadly.has(state) || thread.unpermitted !== undefined ? "failed" : "today";
}

/** How many threads wait for the user, as the list shows under "Waiting for you". */
export function waitingCount(threads: readonly ThreadSummary[], asked: ReadonlySet<string>): number {
	const held = threads.filter((thread) => thread.lifecycleStatus !== "archived" && isHeld(thread));
	return new Set([...asked, ...held.map(({ threadId }) => threadId)]).size;
}

/** True if the run succeeded, even if not everything is known to be done. */
export function isFinished(state: ShownState): boolean {
	return state === "succeeded" || state === "permission_in_doubt" || Object.values(lackingStates).includes(state);
}

/** True for states that require nothing from the user, so that an icon is enough. */
export function isQuiet(state: ShownState): boolean {
	return state === "succeeded" || state === "cancelled" || state === "new";
}

export interface ListedThread {
	readonly thread: ThreadSummary;
	readonly state: ShownState;
}

/** The list by group, in the given order within each; empty groups are left out. */
export function groupThreads(
	threads: readonly ThreadSummary[],
	asked: ReadonlySet<string>,
	now: number,
	/** True to make a group of the pinned threads that neither wait for the user nor are archived. */
	withPins = false,
): readonly { readonly group: ThreadGroup; readonly threads: readonly ListedThread[] }[] {
	const groups = new Map<ThreadGroup, ListedThread[]>([
		["needs", []],
		["pinned", []],
		["running", []],
		["failed", []],
		["today", []],
		["earlier", []],
		["archived", []],
	]);
	const isToday = dayOf(now);
	for (const thread of threads) {
		const state = threadState(thread, asked.has(thread.threadId));
		const own = groupOf(thread, state, isToday);
		const isPinned = withPins && thread.pinnedAt !== undefined && own !== "needs" && own !== "archived";
		groups.get(isPinned ? "pinned" : own)?.push({ thread, state });
	}
	return [...groups].filter(([, listed]) => listed.length > 0).map(([group, listed]) => ({ group, threads: listed }));
}

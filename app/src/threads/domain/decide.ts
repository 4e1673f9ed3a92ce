import { isTerminal, omitUndefined, type Timestamp } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { applyGatewayChatResult, seeHandle } from "./apply-gateway-chat-result.ts";
import { currentTurn, findTurn, isSettled, QUEUE_FULL, type Thread, type Turn } from "./thread.ts";
import type { ThreadCommand, ThreadEvent } from "./thread-event.ts";
import { threadNotFound } from "./thread-not-found.ts";

type Command<T extends ThreadCommand["type"]> = Extract<ThreadCommand, { type: T }>;

/**
 * The events that a command causes in a thread. There are none if the command changes nothing, so that a report about a turn may be
 * repeated. Pure.
 * @throws AppError THREAD_NOT_FOUND, TURN_NOT_FOUND, THREAD_BUSY, THREAD_ARCHIVED, INVALID_INPUT, NOTHING_TO_SYNC, RUN_MISMATCH
 */
export function decide(thread: Thread | undefined, command: ThreadCommand): ThreadEvent[] {
	if (command.type === "create") return thread === undefined ? [command] : [];
	if (thread === undefined || thread.deleted) throw threadNotFound();
	switch (command.type) {
		case "send":
			return send(thread, command);
		case "adopt":
			return adopt(thread, command);
		case "start_sync":
			return startSync(thread, command.at);
		case "rename":
			return thread.title === command.title ? [] : [{ type: "renamed", title: checkedTitle(command.title), at: command.at }];
		case "archive":
			return thread.lifecycleStatus === "archived" ? [] : [{ type: "archived", at: idleAt(thread, command.at) }];
		case "restore":
			return thread.lifecycleStatus === "archived" ? [{ type: "restored", at: command.at }] : [];
		case "delete":
			return [{ type: "deleted", at: idleAt(thread, command.at) }];
		default:
			return decideTurn(thread, command);
	}
}

function decideTurn(
	thread: Thread,
	command: Exclude<ThreadCommand, Command<"create" | "send" | "adopt" | "start_sync" | "rename" | "archive" | "restore" | "delete">>,
) {
	const turn = findTurn(thread, command.turnId);
	if (turn === undefined) throw new AppError("TURN_NOT_FOUND", `This thread has no message ${command.turnId}.`, "Reload the thread.");
	switch (command.type) {
		case "drain":
			return turn.status === "waiting" ? [{ type: "turn_drained", turnId: turn.turnId, at: command.at } as const] : [];
		case "requeue":
			return requeue(thread, turn, command.at);
		case "see_handle":
			return seeHandle(thread, turn, command.handle, command.at);
		case "apply_snapshot":
			return applyGatewayChatResult(thread, command.turnId, command.snapshot, command.at);
		case "request_cancel":
			return requestCancel(thread, turn, command);
		case "abort_unsent":
			return isUnsent(thread, turn) ? [aborted(turn, command.at)] : [];
		case "refuse":
			return endUnsent(thread, turn, { ...command, status: "refused" });
		case "lose":
			return endUnsent(thread, turn, { ...command, status: "interrupted", resultCode: "interrupted" });
		case "fail_recovery":
			return failRecovery(thread, turn, command);
		case "finish_sync":
			return finishSync(thread, turn, command);
		case "settle_sync":
			return settleSync(turn, command);
	}
}

/** An invalid title is rejected, not cleaned, so that the user sees what they typed. */
function checkedTitle(title: string): string {
	const length = [...title].length;
	if (title.trim() === title && length >= 1 && length <= 200 && title.isWellFormed() && !/\p{Cc}/u.test(title)) return title;
	throw new AppError(
		"INVALID_INPUT",
		"A title must be 1 to 200 characters on one line, without spaces at either end.",
		"Correct the title, then try again.",
	);
}

function idleAt(thread: Thread, at: Timestamp): Timestamp {
	if (thread.pendingTurnId === undefined) return at;
	const pending = findTurn(thread, thread.pendingTurnId);
	if (pending !== undefined && isSettled(pending.status)) {
		throw new AppError("THREAD_BUSY", "Files of this thread's last run are still being saved.", "Wait until they are saved.");
	}
	throw new AppError("THREAD_BUSY", "This thread is still running.", "Stop it first, or wait until it finishes.");
}

function send(thread: Thread, { turnId, at, admission }: Command<"send">): ThreadEvent[] {
	if (findTurn(thread, turnId) !== undefined) return [];
	idleAt(thread, at);
	const sent: ThreadEvent =
		admission === "full" ? { type: "turn_turned_away", turnId, at, detail: queueFull } : { type: "turn_sent", turnId, at, admission };
	return thread.lifecycleStatus === "archived" ? [{ type: "restored", at }, sent] : [sent];
}

/** The turn starts as running even if its run has ended: the driver then reads the whole run and settles it like any other. */
function adopt(thread: Thread, { turnId, at, createdAt, handle }: Command<"adopt">): ThreadEvent[] {
	if (findTurn(thread, turnId) !== undefined) return [];
	idleAt(thread, at);
	const status = isTerminal(handle.status) ? "running" : handle.status;
	const adopted: ThreadEvent = { type: "turn_adopted", turnId, at, createdAt, handle: { ...handle, status } };
	return thread.lifecycleStatus === "archived" ? [{ type: "restored", at }, adopted] : [adopted];
}

const queueFull = {
	code: QUEUE_FULL,
	message: "The OpenClaw queue is full, so this message was kept but not queued.",
	fix: "Wait until a run finishes, or stop one, then send it again.",
} as const;

/** True for a turn that is saved and pending, but not confirmed by the bridge. */
function isUnsent(thread: Thread, turn: Turn): boolean {
	return thread.pendingTurnId === turn.turnId && turn.runId === undefined && (turn.status === "sending" || turn.status === "waiting");
}

/** A turn whose cancellation was requested ends instead of being queued again. */
function requeue(thread: Thread, turn: Turn, at: Timestamp): ThreadEvent[] {
	if (!isUnsent(thread, turn) || turn.status === "waiting") return [];
	return [turn.cancelRequestedAt === undefined ? { type: "turn_requeued", turnId: turn.turnId, at } : aborted(turn, at)];
}

function aborted({ turnId }: Turn, at: Timestamp): ThreadEvent {
	return { type: "turn_ended", turnId, at, status: "cancelled", resultCode: "aborted", syncStatus: "failed" };
}

/** The run of an unresolved turn may still be running, so the request is kept for when the bridge answers. */
function requestCancel(thread: Thread, turn: Turn, { at, stoppedAfterMs }: Command<"request_cancel">): ThreadEvent[] {
	const requested = { type: "cancel_requested", turnId: turn.turnId, at, ...omitUndefined({ stoppedAfterMs }) } as const;
	if (turn.status === "waiting") return stoppedAfterMs === undefined ? [aborted(turn, at)] : [requested, aborted(turn, at)];
	const mayRun = turn.status === "unresolved" || (thread.pendingTurnId === turn.turnId && !isSettled(turn.status));
	return mayRun && turn.cancelRequestedAt === undefined ? [requested] : [];
}

type UnsentEnd = Pick<Command<"refuse">, "at" | "resultCode" | "detail"> & { readonly status: "refused" | "interrupted" };

/** Ends a turn that has no run: a turn that is being sent or is waiting, or an unresolved turn. */
function endUnsent(thread: Thread, turn: Turn, { at, status, resultCode, detail }: UnsentEnd): ThreadEvent[] {
	const neverRan = turn.status === "unresolved" && turn.runId === undefined;
	if (!isUnsent(thread, turn) && !neverRan) return [];
	return [{ type: "turn_ended", turnId: turn.turnId, at, status, resultCode, syncStatus: "failed", detail }];
}

/** An unresolved turn stays unresolved; only the reason why its outcome is unknown may change. */
function failRecovery(thread: Thread, turn: Turn, { at, resultCode, detail }: Command<"fail_recovery">): ThreadEvent[] {
	const asked = turn.status === "sending" || turn.status === "queued" || turn.status === "running";
	const isReason = turn.status === "unresolved" && turn.resultDetail?.code !== detail.code;
	if (!isReason && (!asked || thread.pendingTurnId !== turn.turnId)) return [];
	return [{ type: "recovery_failed", turnId: turn.turnId, at, resultCode, detail }];
}

function startSync(thread: Thread, at: Timestamp): ThreadEvent[] {
	idleAt(thread, at);
	if (thread.lifecycleStatus === "archived") throw new AppError("THREAD_ARCHIVED", "This thread is archived.", "Restore the thread first.");
	const turn = currentTurn(thread);
	if (turn !== undefined && hasSaved(turn)) return [{ type: "sync_started", turnId: turn.turnId, at }];
	// Restoring files of earlier runs does not change the thread's own state, which describes its last run.
	if (thread.turns.some(hasSaved)) return [];
	throw new AppError(
		"NOTHING_TO_SYNC",
		"This thread has no saved files from a successful run.",
		"Ask for the files in a new message. Text in an answer does not count as a file.",
	);
}

function hasSaved({ resultCode, syncStatus }: Turn): boolean {
	return resultCode === "success" && (syncStatus === "synced" || syncStatus === "partial");
}

function finishSync(thread: Thread, turn: Turn, command: Command<"finish_sync">): ThreadEvent[] {
	const due = thread.pendingTurnId === turn.turnId && turn.syncStatus === "syncing" && turn.runId === command.runId;
	if (!due) return [];
	const { turnId, at, status, paths, detail } = command;
	return [{ type: "sync_finished", turnId, at, status, paths, ...(detail && { detail }) }];
}

function settleSync({ turnId, resultCode, syncStatus }: Turn, { at, paths }: Command<"settle_sync">): ThreadEvent[] {
	return resultCode === "success" && syncStatus === "partial" ? [{ type: "sync_settled", turnId, at, paths }] : [];
}

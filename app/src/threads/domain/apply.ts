import { type ArtifactSyncStatus, omitUndefined, type ResultCode, type Timestamp } from "@xworkmate/contracts";
import { currentTurn, findTurn, QUEUE_FULL, type ResultDetail, type Thread, type Turn } from "./thread.ts";
import type { RunHandle, ThreadEvent } from "./thread-event.ts";

type Event<T extends ThreadEvent["type"]> = Extract<ThreadEvent, { type: T }>;

/** The thread after an event. Pure; every event contains its own time. */
export function apply(thread: Thread | undefined, event: ThreadEvent): Thread {
	if (event.type === "create") return created(event);
	if (thread === undefined) throw new RangeError(`${event.type} before the thread was created`);
	return { ...applyTo(thread, event), updatedAt: timeAfter(thread, event) };
}

/**
 * The time of the latest news about the thread's newest run. Renaming, archiving, restoring and a request to stop are not news about the
 * run. Neither is a sync, which may happen long after the run ended, nor a handle that repeats what was known, because the app asks for the
 * handle whenever it has been out of contact with the bridge.
 */
function timeAfter(thread: Thread, event: Exclude<ThreadEvent, Event<"create">>): Timestamp {
	switch (event.type) {
		case "renamed":
		case "archived":
		case "restored":
		case "cancel_requested":
		case "sync_started":
		case "sync_finished":
		case "sync_settled":
			return thread.updatedAt;
		case "turn_ended":
		case "recovery_failed":
			return currentTurn(thread)?.turnId === event.turnId ? endOf(event) : thread.updatedAt;
		case "handle_seen":
		case "turn_taken_up":
			if (currentTurn(thread)?.turnId !== event.turnId) return thread.updatedAt;
			return isNews(findTurn(thread, event.turnId), event.handle) ? event.at : thread.updatedAt;
		default:
			return event.at;
	}
}

/**
 * True if the app learns something new about the run: that it exists, its updates, or its status. An unresolved turn has lost its run's
 * status.
 */
function isNews(turn: Turn | undefined, { lastSeq, status }: RunHandle): boolean {
	if (turn?.runId === undefined || lastSeq > turn.lastSeq) return true;
	return turn.status !== status && turn.status !== "unresolved";
}

function endOf({ endedAt, at }: { readonly endedAt?: Timestamp; readonly at: Timestamp }): Timestamp {
	return endedAt ?? at;
}

export function applyAll(thread: Thread | undefined, events: readonly ThreadEvent[]): Thread | undefined {
	return events.reduce<Thread | undefined>(apply, thread);
}

function applyTo(thread: Thread, event: Exclude<ThreadEvent, Event<"create">>): Thread {
	switch (event.type) {
		case "turn_sent":
			return turnSent(thread, event);
		case "turn_adopted":
			return turnAdopted(thread, event);
		case "turn_turned_away":
			return turnedAway(thread, event);
		case "turn_drained":
			return { ...patchTurn(thread, event.turnId, { status: "sending" }), lifecycleStatus: "running", lastArtifactSyncStatus: "running" };
		case "turn_requeued":
			return { ...patchTurn(thread, event.turnId, { status: "waiting" }), lifecycleStatus: "queued", lastArtifactSyncStatus: "queued" };
		case "handle_seen":
			return withTurn(thread, event.turnId, (turn) => ({
				...turn,
				...handleFields(turn, event.handle),
				...(turn.status !== "unresolved" && { status: event.handle.status }),
			}));
		case "turn_taken_up":
			return takenUp(thread, event);
		case "cancel_requested":
			return patchTurn(thread, event.turnId, { cancelRequestedAt: event.at, ...omitUndefined({ stoppedAfterMs: event.stoppedAfterMs }) });
		case "turn_ended":
			return turnEnded(thread, event);
		case "recovery_failed":
			return recoveryFailed(thread, event);
		case "sync_started": {
			const { lastResultDetail: _old, ...rest } = withTurn(thread, event.turnId, ({ resultDetail: _why, ...turn }) => ({
				...turn,
				syncStatus: "syncing",
			}));
			return { ...rest, lifecycleStatus: "running", pendingTurnId: event.turnId, lastArtifactSyncStatus: "syncing" };
		}
		case "sync_finished":
			return syncFinished(thread, event);
		case "sync_settled":
			return syncSettled(thread, event);
		case "renamed":
			return { ...thread, title: event.title };
		case "archived":
			return { ...thread, lifecycleStatus: "archived" };
		case "restored":
			return { ...thread, lifecycleStatus: "ready" };
		case "deleted":
			return { ...thread, deleted: true };
	}
}

function created({ threadId, sessionId, title, at }: Event<"create">): Thread {
	const times = { createdAt: at, updatedAt: at };
	return { threadId, sessionId, title, lifecycleStatus: "ready", lastTaskArtifactRelativePaths: [], turns: [], deleted: false, ...times };
}

function turnSent(thread: Thread, { turnId, at, admission }: Event<"turn_sent">): Thread {
	const waits = admission === "wait";
	const turn: Turn = { turnId, status: waits ? "waiting" : "sending", lastSeq: 0, syncedPaths: [], createdAt: at };
	return begun(thread, turn, waits ? "queued" : "running");
}

function turnAdopted(thread: Thread, { turnId, createdAt, handle }: Event<"turn_adopted">): Thread {
	const turn: Turn = { turnId, status: handle.status, lastSeq: 0, syncedPaths: [], createdAt };
	return begun(thread, { ...turn, ...handleFields(turn, handle) }, "running");
}

function begun(thread: Thread, turn: Turn, status: "queued" | "running"): Thread {
	return {
		...withoutResult(thread),
		lifecycleStatus: status,
		lastArtifactSyncStatus: status,
		lastTaskArtifactRelativePaths: [],
		pendingTurnId: turn.turnId,
		turns: [...thread.turns, turn],
	};
}

/** The thread keeps the files and the sync status of its last run, because this turn had no run. */
function turnedAway(thread: Thread, { turnId, at, detail }: Event<"turn_turned_away">): Thread {
	const end = { status: "refused", resultCode: QUEUE_FULL, resultDetail: detail, endedAt: at } as const;
	const turn: Turn = { turnId, ...end, lastSeq: 0, syncedPaths: [], createdAt: at };
	return { ...withoutPending(thread), lastResultCode: QUEUE_FULL, lastResultDetail: detail, turns: [...thread.turns, turn] };
}

function takenUp(thread: Thread, { turnId, handle }: Event<"turn_taken_up">): Thread {
	const next = withTurn(thread, turnId, (turn) => {
		const { resultCode: _code, resultDetail: _detail, syncStatus: _sync, unresolvedSince: _since, ...rest } = turn;
		return { ...rest, ...handleFields(turn, handle), status: handle.status };
	});
	return { ...withoutResult(next), lifecycleStatus: "running", lastArtifactSyncStatus: "running", pendingTurnId: turnId };
}

function turnEnded(thread: Thread, event: Event<"turn_ended">): Thread {
	const { turnId, status, runId, artifactScope, lastSeq = 0, resultCode, syncStatus, detail, stoppingSince } = event;
	const next = withTurn(thread, turnId, (turn) => {
		const { unresolvedSince: _since, resultDetail: _detail, ...rest } = turn;
		return {
			...rest,
			status,
			resultCode,
			syncStatus,
			endedAt: endOf(event),
			lastSeq: Math.max(turn.lastSeq, lastSeq),
			...(stoppingSince && { stoppingSince }),
			...(runId && { runId }),
			...(artifactScope && { artifactScope }),
			...(detail && { resultDetail: detail }),
		};
	});
	if (currentTurn(thread)?.turnId !== turnId) return next;
	const told = withResult(next, resultCode, detail, syncStatus);
	if (syncStatus === "syncing") return { ...told, lifecycleStatus: "running", pendingTurnId: turnId };
	return withoutPending(told);
}

function recoveryFailed(thread: Thread, { turnId, resultCode, detail, at }: Event<"recovery_failed">): Thread {
	const next = withTurn(thread, turnId, ({ unresolvedSince = at, ...turn }) => ({
		...turn,
		...{ status: "unresolved", resultCode, resultDetail: detail, syncStatus: "failed", unresolvedSince },
	}));
	if (currentTurn(thread)?.turnId !== turnId) return next;
	return withoutPending(withResult(next, resultCode, detail, "failed"));
}

function syncFinished(thread: Thread, { turnId, at, status, paths, detail }: Event<"sync_finished">): Thread {
	const synced = { syncStatus: status, syncedPaths: paths, syncedAt: at };
	const next = patchTurn(thread, turnId, { ...synced, ...(detail && { resultDetail: detail }) });
	return withoutPending({
		...next,
		lastArtifactSyncStatus: status,
		lastTaskArtifactRelativePaths: paths,
		...(detail && { lastResultDetail: detail }),
	});
}

/** Only the current run's files are the thread's files. */
function syncSettled(thread: Thread, { turnId, at, paths }: Event<"sync_settled">): Thread {
	const next = withTurn(thread, turnId, ({ resultDetail: _why, ...turn }) => ({
		...turn,
		...{ syncStatus: "synced", syncedPaths: paths, syncedAt: at },
	}));
	if (currentTurn(thread)?.turnId !== turnId) return next;
	const { lastResultDetail: _old, ...rest } = next;
	return { ...rest, lastArtifactSyncStatus: "synced", lastTaskArtifactRelativePaths: paths };
}

function handleFields(turn: Turn, { runId, artifactScope, lastSeq, cancelRequestedAt: stoppingSince }: RunHandle) {
	return { runId, artifactScope, lastSeq: Math.max(turn.lastSeq, lastSeq), ...omitUndefined({ stoppingSince }) };
}

function withTurn(thread: Thread, turnId: string, change: (turn: Turn) => Turn): Thread {
	return { ...thread, turns: thread.turns.map((turn) => (turn.turnId === turnId ? change(turn) : turn)) };
}

function patchTurn(thread: Thread, turnId: string, patch: Partial<Turn>): Thread {
	return withTurn(thread, turnId, (turn) => ({ ...turn, ...patch }));
}

function withoutResult(thread: Thread): Thread {
	const { lastResultCode: _code, lastResultDetail: _detail, ...rest } = thread;
	return rest;
}

function withResult(thread: Thread, code: ResultCode, detail: ResultDetail | undefined, sync: ArtifactSyncStatus): Thread {
	return { ...withoutResult(thread), lastResultCode: code, lastArtifactSyncStatus: sync, ...(detail && { lastResultDetail: detail }) };
}

/** The thread without an active turn. An archived thread stays archived. */
function withoutPending(thread: Thread): Thread {
	const { pendingTurnId: _pending, ...rest } = thread;
	return { ...rest, lifecycleStatus: thread.lifecycleStatus === "archived" ? "archived" : "ready" };
}

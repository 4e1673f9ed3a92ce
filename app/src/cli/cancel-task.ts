import { isTerminal, RunId, type RunStatus, type ThreadId } from "@xworkmate/contracts";
import { AppError } from "../errors/app-error.ts";
import { commandLine } from "../text/command-line.ts";
import { oneLine } from "../text/printable.ts";
import { turnStateWords } from "../text/state-words.ts";
import { findTurn, isSettled, type Turn } from "../threads/domain/thread.ts";
import { askToStop } from "./ask-to-stop.ts";
import { orUnknown } from "./parts/or-unknown.ts";
import type { Output } from "./parts/output.ts";
import { queueLines } from "./words/queue-lines.ts";

const nothing = "Nothing is running or queued in this thread.";

/**
 * Cancels the active run of a thread, or a run by its id. It is not an error if the run has already ended. Messages queued behind the run
 * are not removed: the app keeps them on hold, and they are printed.
 */
export async function cancelTask({ api, console }: Output, id: ThreadId): Promise<void> {
	const thread = await orUnknown(api.showThread({ threadId: id }), "THREAD_NOT_FOUND", () => undefined);
	if (thread === undefined) {
		const runId = RunId.safeParse(id);
		if (!runId.success) throw noRun(id);
		const asked = askToStop(() => api.cancel({ runId: runId.data }), { console, threadId: id });
		const { status } = await orUnknown(asked, "NOT_FOUND", () => {
			throw noRun(id);
		});
		console.line(runWords(status));
		return;
	}
	const turnId = thread.thread.pendingTurnId;
	if (turnId === undefined) {
		const isQueued = (thread.queued ?? []).length > 0;
		for (const line of [isQueued ? "Nothing is running in this thread." : nothing, ...queueLines(thread)]) console.line(line);
		return;
	}
	await askToStop(() => api.cancelTurn({ threadId: id, turnId }), { console, threadId: id });
	const now = await api.showThread({ threadId: id });
	for (const line of [endWords(findTurn(now.thread, turnId)), ...queueLines(now)]) console.line(line);
}

/** The request itself cancels a queued run, and the bridge's answer is the same as for a run that had already been cancelled. */
function runWords(status: RunStatus): string {
	if (status === "cancelled") return "The run was cancelled.";
	return isTerminal(status) ? `Already ended: ${turnStateWords(status)}.` : "Stop requested, waiting for confirmation.";
}

function endWords(turn: Turn | undefined): string {
	if (turn?.status === "cancelled") return "Cancelled.";
	// The run may have ended in the meantime.
	const isOver = turn !== undefined && isSettled(turn.status);
	return isOver ? `Already ended: ${turnStateWords(turn.status, turn.resultDetail?.code)}.` : "Stop requested, waiting for confirmation.";
}

function noRun(id: string): AppError {
	const lists = `${commandLine("threads list")} or ${commandLine("tasks")}`;
	return new AppError("TURN_NOT_FOUND", `There is no thread or run ${oneLine(id, 200)}.`, `List them: ${lists}`);
}

import { isTerminal, RunId, type RunStatus, type ThreadId } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { AppError } from "../../errors/app-error.ts";
import { toFailure } from "../../errors/failure.ts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine } from "../../text/printable.ts";
import { askingWords, isStillAsked } from "../../text/runs/asks-until.ts";
import { turnStateWords } from "../../text/runs/state-words.ts";
import { findTurn, isSettled, type Thread, type Turn } from "../../threads/domain/thread.ts";
import { orUnknown } from "../parts/or-unknown.ts";
import type { Output } from "../parts/output.ts";
import { isOfBridge, notStopped } from "../words/runs/not-stopped.ts";
import { queueLines } from "../words/runs/queue-lines.ts";
import { askToStop } from "./ask-to-stop.ts";

const nothing = "Nothing is running or queued in this thread.";

/**
 * Cancels the active run of a thread, or a run by its id. It is not an error if the run has already ended. Messages queued behind the run
 * are not removed: the app keeps them on hold, and they are printed.
 */
export async function cancelTask(output: Output, id: ThreadId): Promise<void> {
	const { api, console } = output;
	const thread = await orUnknown(api.showThread({ threadId: id }), "THREAD_NOT_FOUND", () => undefined);
	if (thread === undefined) return await cancelRun(output, id);
	const turn = stoppable(thread.thread);
	if (turn === undefined) {
		const isQueued = (thread.queued ?? []).length > 0;
		for (const line of [isQueued ? "Nothing is running in this thread." : nothing, ...queueLines(thread)]) console.line(line);
		return;
	}
	const { turnId } = turn;
	// If the app no longer asks the bridge about the turn, it would not pass the request on.
	if (turn.status !== "unresolved" || isStillAsked(turn, Date.now()))
		await askToStop(() => api.cancelTurn({ threadId: id, turnId }), { console, threadId: id });
	const now = await api.showThread({ threadId: id });
	for (const line of [...endLines(findTurn(now.thread, turnId)), ...queueLines(now)]) console.line(line);
}

/**
 * The turn that a stop is for: the active one; or else the newest whose outcome the app still asks the bridge for; or else the last one, if
 * it is not known whether its run has ended.
 */
function stoppable(thread: Thread): Turn | undefined {
	const { pendingTurnId, turns } = thread;
	if (pendingTurnId !== undefined) return findTurn(thread, pendingTurnId);
	const now = Date.now();
	const unresolved = turns.filter(({ status }) => status === "unresolved");
	return unresolved.findLast((turn) => isStillAsked(turn, now)) ?? unresolved.find((turn) => turn === turns.at(-1));
}

/**
 * Cancels a run by its id. If the bridge can't be reached, that is an error only if the app has not saved the request, which it does for
 * the runs of its own turns.
 */
async function cancelRun({ api, console }: Output, id: ThreadId): Promise<void> {
	const runId = RunId.safeParse(id);
	if (!runId.success) throw noRun(id);
	const asked = askToStop(() => api.cancel({ runId: runId.data }), { console, threadId: id });
	try {
		const { status } = await orUnknown(asked, "NOT_FOUND", () => {
			throw noRun(id);
		});
		console.line(runWords(status));
	} catch (error) {
		const stopped = isOfBridge(toFailure(error).code) ? await stoppedTurn(api, runId.data) : undefined;
		if (stopped === undefined) throw error;
		const { threadId, turn } = stopped;
		const isUnresolved = turn.status === "unresolved";
		// The request is saved, but nothing passes it on.
		if (isUnresolved && !isStillAsked(turn, Date.now())) throw error;
		for (const line of isUnresolved ? unresolvedLines(turn) : [notStopped(error, threadId)]) console.line(line);
	}
}

/** The turn of a run, if the app has saved a request to stop it and the turn has not ended. */
async function stoppedTurn(api: Pick<AppApi, "listThreads">, runId: RunId) {
	for (const archived of [false, true]) {
		for (const { threadId, turns } of await api.listThreads({ archived })) {
			const turn = turns.find((each) => each.runId === runId);
			if (turn?.cancelRequestedAt !== undefined && !isSettled(turn.status)) return { threadId, turn };
		}
	}
	return undefined;
}

/** The request itself cancels a queued run, and the bridge's answer is the same as for a run that had already been cancelled. */
function runWords(status: RunStatus): string {
	if (status === "cancelled") return "The run was cancelled.";
	return isTerminal(status) ? `Already ended: ${turnStateWords(status)}.` : "Stop requested, waiting for confirmation.";
}

function endLines(turn: Turn | undefined): readonly string[] {
	if (turn?.status === "cancelled") return ["Cancelled."];
	if (turn?.status === "unresolved") return unresolvedLines(turn);
	// The run may have ended in the meantime.
	const isOver = turn !== undefined && isSettled(turn.status);
	return [isOver ? `Already ended: ${turnStateWords(turn.status, turn.resultDetail?.code)}.` : "Stop requested, waiting for confirmation."];
}

/** Says whether the request to stop the turn will still be passed on. The app could not learn the turn's outcome. */
function unresolvedLines(turn: Turn): readonly string[] {
	const now = Date.now();
	const unknown =
		turn.runId === undefined
			? "XWorkmate can't tell whether the bridge received this message."
			: "XWorkmate can't tell whether this run is still running.";
	if (isStillAsked(turn, now)) return [`${unknown} Stop requested. The request will be passed on when the run's bridge responds.`];
	return [
		`${unknown} ${askingWords(turn, now)} ${turn.cancelRequestedAt === undefined ? "No stop was requested." : "The stop was not passed on."}`,
		...(turn.runId === undefined ? [] : [`  Ask the bridge to stop it: ${commandLine(`cancel ${turn.runId}`)}`]),
	];
}

function noRun(id: string): AppError {
	const lists = `${commandLine("threads list")} or ${commandLine("tasks")}`;
	return new AppError("TURN_NOT_FOUND", `There is no thread or run ${oneLine(id, 200)}.`, `List them: ${lists}`);
}

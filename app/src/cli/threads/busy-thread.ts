import type { ThreadId } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { AppError } from "../../errors/app-error.ts";
import { hasCode } from "../../errors/has-code.ts";
import { commandLine } from "../../text/command-line.ts";
import { findTurn, isSettled } from "../../threads/domain/thread.ts";

/**
 * Sends a command's message. The page queues a message for a busy thread. A command can't, because it has to follow the run that it starts,
 * and the app's own error does not say so.
 * @throws AppError THREAD_BUSY, which says so; any other error of `send`
 */
export async function sendToIdle<Sent>(
	api: Pick<AppApi, "showThread">,
	threadId: ThreadId | undefined,
	send: () => Promise<Sent>,
): Promise<Sent> {
	return send().catch(async (error: unknown) => {
		if (threadId === undefined || !hasCode(error, "THREAD_BUSY")) throw error;
		const { thread } = await api.showThread({ threadId });
		const turn = thread.pendingTurnId && findTurn(thread, thread.pendingTurnId);
		// The thread is being deleted, or its run has just ended.
		if (!turn) throw error;
		const isSaving = isSettled(turn.status);
		const why = isSaving ? "Files of this thread's last run are still being saved" : "This thread's last run hasn't ended";
		const wait = isSaving ? "Wait until they are saved" : `Wait until it finishes, or stop it: ${commandLine(`cancel ${threadId}`)}`;
		throw new AppError(
			"THREAD_BUSY",
			`${why}, and a command can't queue a message in a busy thread.`,
			`${wait}. The page can queue the message: ${commandLine("open")}`,
			error,
		);
	});
}

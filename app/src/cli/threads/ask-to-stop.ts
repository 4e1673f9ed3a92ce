import { setTimeout as delay } from "node:timers/promises";
import type { ThreadId } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { toFailure } from "../../errors/failure.ts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine } from "../../text/printable.ts";
import type { Console } from "../parts/console.ts";

/** The pause between two attempts, and how long to keep trying. */
const askBounds = { everyMs: 1_000, boundMs: 5 * 60_000 };

export interface AskToStop {
	readonly console: Pick<Console, "note">;
	readonly threadId: ThreadId;
	/** Aborted once the run has ended or the command exits, which ends the attempts. */
	readonly signal?: AbortSignal;
	readonly bounds?: typeof askBounds;
}

/**
 * Asks the app to stop a turn. While a full disk keeps the app from saving the request, this function repeats it, because nothing else
 * would.
 * @throws AppError STOP_NOT_SAVED if the disk stays full; any other refusal unchanged; an AbortError if `signal` is aborted in a pause
 */
export async function askToStop<T>(ask: () => Promise<T>, { console, threadId, signal, bounds = askBounds }: AskToStop): Promise<T> {
	const until = performance.now() + bounds.boundMs;
	for (let refused = false; ; refused = true) {
		try {
			const answer = await ask();
			if (refused && !signal?.aborted) console.note("· The stop request is now saved.");
			return answer;
		} catch (error) {
			if (signal?.aborted || toFailure(error).code !== "DISK_FULL") throw error;
			if (performance.now() > until) {
				const fix = `Free some space, then try again: ${commandLine(`cancel ${oneLine(threadId, 200)}`)}`;
				throw new AppError("STOP_NOT_SAVED", "The stop request might not have been saved, because the disk is full.", fix, error);
			}
			if (!refused)
				console.note("· The stop request can't be saved yet, because the disk is full. Free some space; this command keeps trying.");
		}
		await delay(bounds.everyMs, undefined, signal && { signal });
	}
}

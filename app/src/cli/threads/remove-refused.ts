import type { AppApi, SentTurn } from "../../api/app-api.ts";
import { isTurnedAway } from "../../threads/domain/thread.ts";

/**
 * Removes a thread that a command created for a message that was refused before a run existed, unless the thread contains something else by
 * now, or the app reports that it keeps the message. Returns true if the thread was removed.
 */
export async function removeRefused(api: AppApi, { threadId, turnId }: SentTurn): Promise<boolean> {
	const { turns, queued, draft } = await api.readThread({ threadId });
	const [only, more] = turns.map(({ turn }) => turn);
	const isRefused = only?.turnId === turnId && only.status === "refused" && !isTurnedAway(only);
	if (!isRefused || more !== undefined || queued.length > 0 || draft !== undefined) return false;
	await api.deleteThread({ threadId });
	return true;
}

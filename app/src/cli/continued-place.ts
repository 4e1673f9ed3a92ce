import type { SendRequest, ShownThread } from "../api/app-api.ts";
import { oneLine } from "../text/printable.ts";
import type { Console } from "./words/console.ts";

/**
 * A message that continues a thread in the project folder or worktree of its last message, unless the message names a folder itself. Prints
 * which one that is, since the command was not told.
 */
export function continuedPlace(request: SendRequest, place: ShownThread["place"], console: Console): SendRequest {
	// A gateway works in its own folders.
	const isElsewhere = request.workingDirectory !== undefined || request.routing.executionTarget === "gateway";
	if (place === undefined || isElsewhere) return request;
	const { workingDirectory, worktree } = place;
	const where = worktree ? "the thread's worktree of" : "the thread's project folder";
	console.note(`Continuing in ${where} ${oneLine(workingDirectory, 300)}. To work outside of it, add --no-cwd.`);
	return { ...request, workingDirectory, workingDirectoryRequired: true, ...(worktree && { worktree }) };
}

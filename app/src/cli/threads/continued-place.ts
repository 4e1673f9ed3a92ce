import type { SendRequest, ShownThread } from "../../api/app-api.ts";
import { oneLine } from "../../text/printable.ts";
import type { Console } from "../parts/console.ts";

/**
 * Makes a message continue its thread in the project folder or worktree of the thread's last message, unless the message names a folder.
 * Prints the folder, because the user did not name one.
 */
export function continuedPlace(request: SendRequest, place: ShownThread["place"], console: Console): SendRequest {
	// A gateway uses its own folders.
	const isElsewhere = request.workingDirectory !== undefined || request.routing.executionTarget === "gateway";
	if (place === undefined || isElsewhere) return request;
	const { workingDirectory, worktree } = place;
	const where = worktree ? "the thread's worktree of" : "the thread's project folder";
	console.note(`Continuing in ${where} ${oneLine(workingDirectory, 300)}. To work outside of it, add --no-cwd.`);
	return { ...request, workingDirectory, workingDirectoryRequired: true, ...(worktree && { worktree }) };
}

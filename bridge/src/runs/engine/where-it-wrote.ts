import { omitUndefined, type RunEdits } from "@xworkmate/contracts";
import type { RunWorkspace } from "../../ports/runs/run-workspace.ts";
import type { LiveRun } from "./live-run.ts";

/** The end of an interrupted run: the reason, the folder that it worked in, and what is known to have changed there. */
export interface Interruption {
	readonly message: string;
	readonly workedIn?: string;
	readonly edits?: RunEdits;
}

/**
 * Records what a run left in the folder where it worked, and returns what changed. If the recording fails, the run's files can't be
 * discarded later, and the end of the run says that the changes aren't known. The outcome of the run stays the same.
 */
export async function leaveWorkspace(
	{ record }: Pick<LiveRun, "record">,
	workspace: Pick<RunWorkspace, "leave">,
	fault: (error: unknown) => void,
): Promise<RunEdits | undefined> {
	try {
		return await workspace.leave(record);
	} catch (error) {
		fault(error);
		const { projectDirectory: directory, worktree } = record;
		if (directory === undefined) return undefined;
		return { place: worktree === undefined ? "folder" : "worktree", directory, files: [], total: 0, unknown: "unreadable" };
	}
}

/**
 * Adds to an interruption what changed, and the folder where the user finds what the run may have written. A second line of the message
 * says that no files were collected, which is so for every interrupted run, and names the folders. A folder in which nothing was written is
 * not named, nor is any folder of a run that had not begun or ran on a gateway.
 */
export async function whereItWrote(
	run: LiveRun,
	message: string,
	workspace: RunWorkspace,
	fault: (error: unknown) => void,
): Promise<Interruption> {
	const { record, state } = run;
	const edits = await leaveWorkspace(run, workspace, fault);
	if (state.startedAt === undefined || record.provider.target === "gateway") return { message, ...omitUndefined({ edits }) };
	try {
		const places = await workspace.writtenIn(record, Date.parse(state.startedAt));
		const [workedIn] = places;
		const where = places.length === 0 ? "" : ` Files that the run wrote may be in ${places.join(" and in ")}.`;
		return { message: `${message}\nNo files were collected.${where}`, ...omitUndefined({ workedIn, edits }) };
	} catch (error) {
		fault(error);
		return { message, ...omitUndefined({ edits }) };
	}
}

import type { RunWorkspace } from "../../ports/run-workspace.ts";
import type { LiveRun } from "./live-run.ts";

/** The end of an interrupted run: the reason, and the folder that it worked in. */
export interface Interruption {
	readonly message: string;
	readonly workedIn?: string;
}

/**
 * Adds to an interruption the folder where the user can find what the run may have written, because no files of an interrupted run are
 * collected, and records what it left in the user's folder. A second line of the message says so too. Does not apply to a run that had not begun, or to one on a gateway.
 */
export async function whereItWrote(
	{ record, state }: LiveRun,
	message: string,
	workspace: RunWorkspace,
	fault: (error: unknown) => void,
): Promise<Interruption> {
	await workspace.leave(record).catch(fault);
	if (state.startedAt === undefined || record.provider.target === "gateway") return { message };
	try {
		const { artifactDirectory: workedIn } = await workspace.locate(record);
		return { message: `${message}\nNo files were collected. Files that it wrote may be in ${workedIn}`, workedIn };
	} catch (error) {
		fault(error);
		return { message };
	}
}

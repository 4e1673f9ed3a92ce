import type { RunWorkspace } from "../../ports/run-workspace.ts";
import type { LiveRun } from "./live-run.ts";

/** The end of an interrupted run: the reason, and the folder that it worked in. */
export interface Interruption {
	readonly message: string;
	readonly workedIn?: string;
}

/**
 * No files of an interrupted run are collected, so its end names the folder where the user can find what it may have written, and so does a
 * second line of its message. Not for a run that had not begun, nor for one on a gateway.
 */
export async function whereItWrote(
	{ record, state }: LiveRun,
	message: string,
	workspace: RunWorkspace,
	fault: (error: unknown) => void,
): Promise<Interruption> {
	if (state.startedAt === undefined || record.provider.target === "gateway") return { message };
	try {
		const { artifactDirectory: workedIn } = await workspace.locate(record);
		return { message: `${message}\nNo files were collected. Files that it wrote may be in ${workedIn}`, workedIn };
	} catch (error) {
		fault(error);
		return { message };
	}
}

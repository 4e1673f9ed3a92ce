import type { RunWorkspace } from "../../ports/run-workspace.ts";
import type { LiveRun } from "./live-run.ts";

/** The end of an interrupted run: why, and the folder that it worked in. */
export interface Interruption {
	readonly message: string;
	readonly workedIn?: string;
}

/**
 * Nothing of an interrupted run is collected, so its end names the folder in which the user finds what it may have written,
 * also on a second line of its message. Not for a run that had not begun, nor for one on a gateway.
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

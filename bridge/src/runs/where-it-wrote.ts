import type { LiveRun } from "./live-run.ts";
import type { RunWorkspace } from "./run-workspace.ts";

/**
 * A second line for the message of an interrupted run: nothing of it is collected, so it names the folder in which the
 * user finds what the run may have written. Empty for a run that had not begun, and for one on a gateway.
 */
export async function whereItWrote({ record, state }: LiveRun, workspace: RunWorkspace, fault: (error: unknown) => void): Promise<string> {
	if (state.startedAt === undefined || record.provider.target === "gateway") return "";
	try {
		const { artifactDirectory } = await workspace.locate(record);
		return `\nNo files were collected. What it had written may be in ${artifactDirectory}`;
	} catch (error) {
		fault(error);
		return "";
	}
}

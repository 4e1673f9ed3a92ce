import type { ThreadId } from "@xworkmate/contracts";
import type { PreviousArtifacts } from "../../../ports/agents/provider.ts";
import type { ArtifactIndex } from "../../../ports/artifacts/artifact-index.ts";
import type { RunWorkspace } from "../../../ports/runs/run-workspace.ts";
import type { RunLookup } from "../run-lookup.ts";

const LISTED = 100;

/** The files of the thread's last successful run that delivered any, and how many they are; at most 100 are named. */
export async function previousArtifacts(
	threadId: ThreadId,
	artifacts: ArtifactIndex,
	lookup: RunLookup,
	workspace: RunWorkspace,
): Promise<PreviousArtifacts | undefined> {
	const last = await artifacts.lastArtifactRun(threadId);
	if (last === undefined) return undefined;
	const { artifactDirectory } = await workspace.locate(await lookup.record(last));
	const listed = await artifacts.readArtifacts(last, undefined, LISTED);
	const count = listed.length < LISTED ? listed.length : (await lookup.snapshot(last)).artifacts.count;
	return { runId: last, directory: artifactDirectory, paths: listed.map((artifact) => artifact.relativePath), count };
}

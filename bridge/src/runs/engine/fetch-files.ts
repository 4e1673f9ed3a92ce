import type { RejectedArtifact } from "@xworkmate/contracts";
import type { FetchSink, Loss, RemoteTurns } from "../../ports/provider.ts";
import type { CoreParts } from "./core-parts.ts";
import type { LiveRun } from "./live-run.ts";

/** What came of bringing the files of a turn that ran elsewhere. */
export interface Brought {
	readonly rejected: readonly RejectedArtifact[];
	readonly loss?: Omit<Loss, "kind">;
}

/** Brings them into the run's folder, within `limits.bringMs`. */
export async function bringFiles(
	run: LiveRun,
	remote: RemoteTurns,
	artifactDirectory: string,
	{ sessions, limits }: Pick<CoreParts, "sessions" | "limits">,
): Promise<Brought> {
	const { runId, threadId, artifactScope, input, provider } = run.record;
	const session = await sessions.providerSession(threadId, provider.providerId);
	const kept = session === undefined ? {} : { session };
	const turn = { runId, threadId, artifactScope, artifactDirectory, artifactContract: input.artifactContract, ...kept };
	const rejected: RejectedArtifact[] = [];
	const sink: FetchSink = {
		show: (stage, message) => {
			run.dispatch({ type: "show_progress", progress: { stage, ...(message === undefined ? {} : { message }) } });
		},
		rejectArtifact: (artifact) => void rejected.push(artifact),
	};
	const loss = await remote.fetchArtifacts(turn, sink, AbortSignal.timeout(limits.bringMs));
	return { rejected, ...(loss && { loss: { code: loss.code, message: loss.message } }) };
}

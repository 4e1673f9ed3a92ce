import type { RejectedArtifact } from "@xworkmate/contracts";
import type { FetchSink, Loss, Provider } from "../../../ports/agents/provider.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { SessionStore } from "../../../ports/runs/session-store.ts";
import type { LiveRun } from "../live-run.ts";
import { abortAfter } from "./abort-after.ts";

/** The result of fetching the files of a turn that ran remotely. */
export interface Fetched {
	readonly rejected: readonly RejectedArtifact[];
	readonly loss?: Omit<Loss, "kind">;
}

/** Fetches the files into the run's folder within the time limit. Does nothing if the provider works on this machine. */
export async function fetchFiles(
	run: LiveRun,
	provider: Provider | undefined,
	artifactDirectory: string,
	sessions: SessionStore,
	{ clock, boundMs }: { readonly clock: Clock; readonly boundMs: number },
): Promise<Fetched> {
	if (provider?.fetchArtifacts === undefined) return { rejected: [] };
	const { runId, threadId, artifactScope, input } = run.record;
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
	using bound = abortAfter(clock, boundMs);
	const loss = await provider.fetchArtifacts(turn, sink, bound.signal);
	return { rejected, ...(loss && { loss: { code: loss.code, message: loss.message } }) };
}

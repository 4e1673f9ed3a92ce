import { ContractError, limits, type MethodResult, type ProviderId, type ThreadId } from "@xworkmate/contracts";
import type { ArtifactIndex } from "../../ports/artifact-index.ts";
import type { ArtifactStore } from "../../ports/artifact-store.ts";
import type { Provider } from "../../ports/provider.ts";
import type { RunRecord } from "../../ports/run-record.ts";
import type { RunStore } from "../../ports/run-store.ts";
import type { RunWorkspace } from "../../ports/run-workspace.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import type { RunLookup } from "./run-lookup.ts";

export interface ThreadRemovalDeps {
	readonly runs: RunStore;
	readonly artifacts: ArtifactIndex;
	readonly sessions: SessionStore;
	readonly artifactStore: ArtifactStore;
	readonly workspace: RunWorkspace;
	readonly lookup: RunLookup;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
}

/**
 * Deletes a thread: its folders and bytes first, its records last, so that an interrupted deletion can be repeated and leaves nothing
 * behind. A run's bytes are marked as removed beforehand, so that no record refers to missing bytes.
 */
export class ThreadRemoval {
	readonly #deps: ThreadRemovalDeps;

	constructor(deps: ThreadRemovalDeps) {
		this.#deps = deps;
	}

	/** @throws ContractError THREAD_BUSY while a turn is unfinished, FOLDER_NOT_REMOVED. A thread without runs deletes nothing. */
	async delete(threadId: ThreadId): Promise<MethodResult<"xworkmate.threads.delete">> {
		const { runs: store, artifacts, sessions, artifactStore, workspace, lookup, providers } = this.#deps;
		using _locked = lookup.lock(threadId);
		const unfinished = await store.unfinishedRuns();
		if (unfinished.some((run) => run.threadId === threadId)) throw new ContractError("THREAD_BUSY");
		const session = await sessions.findByThread(threadId);
		if (session !== undefined) await Promise.all([...providers.values()].map((provider) => provider.releaseSession(session.sessionId)));
		const runs = await this.#runs(threadId);
		const directories = new Set(runs.flatMap(({ projectDirectory }) => projectDirectory ?? []));
		await workspace.removeThread(threadId, [...directories]);
		let freedBytes = 0;
		for (const { runId } of runs) {
			await artifacts.markExpired(runId);
			freedBytes += await artifactStore.remove(runId);
			await workspace.removeInputs(runId);
		}
		const deleted = await store.deleteThread(threadId);
		await sessions.delete(threadId);
		return { deletedRuns: deleted.length, freedBytes };
	}

	async #runs(threadId: ThreadId): Promise<readonly RunRecord[]> {
		const { runs: store } = this.#deps;
		const runs: RunRecord[] = [];
		let cursor: string | undefined;
		do {
			const page = await store.listRuns({ threadId, limit: limits.listMax, cursor });
			for (const { runId } of page.items) {
				const run = await store.findRun(runId);
				if (run !== undefined) runs.push(run);
			}
			cursor = page.nextCursor;
		} while (cursor !== undefined);
		return runs;
	}
}

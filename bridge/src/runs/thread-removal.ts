import { ContractError, type MethodResult, type ProviderId, type ThreadId } from "@xworkmate/contracts";
import type { ArtifactVault } from "../artifacts/artifact-vault.ts";
import type { Provider } from "../providers/provider.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { RunBook } from "./run-book.ts";
import type { RunStore } from "./run-store.ts";
import type { RunWorkspace } from "./run-workspace.ts";

export interface ThreadRemovalDeps {
	readonly store: RunStore;
	readonly sessions: SessionStore;
	readonly vault: ArtifactVault;
	readonly workspace: RunWorkspace;
	readonly book: RunBook;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
}

/** Deletes a thread: its records first, so that no record ever promises bytes that are gone. */
export class ThreadRemoval {
	readonly #deps: ThreadRemovalDeps;

	constructor(deps: ThreadRemovalDeps) {
		this.#deps = deps;
	}

	/** @throws ContractError THREAD_BUSY while a turn is not over. A thread without runs deletes nothing. */
	async delete(threadId: ThreadId): Promise<MethodResult<"xworkmate.threads.delete">> {
		const { store, sessions, vault, workspace, book, providers } = this.#deps;
		using _locked = book.lock(threadId);
		const unfinished = await store.unfinishedRuns();
		if (unfinished.some((run) => run.threadId === threadId)) throw new ContractError("THREAD_BUSY");
		const session = await sessions.findByThread(threadId);
		if (session !== undefined) await Promise.all([...providers.values()].map((provider) => provider.releaseSession(session.sessionId)));
		const runs = await store.deleteThread(threadId);
		await sessions.delete(threadId);
		let freedBytes = 0;
		for (const { runId } of runs) {
			freedBytes += await vault.remove(runId);
			await workspace.removeInputs(runId);
		}
		const directories = new Set(runs.flatMap(({ projectDirectory }) => projectDirectory ?? []));
		await workspace.removeThread(threadId, [...directories]);
		return { deletedRuns: runs.length, freedBytes };
	}
}

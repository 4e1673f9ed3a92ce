import {
	ContractError,
	type MethodResult,
	omitUndefined,
	type ProviderId,
	type RunId,
	type ThreadFolder,
	type ThreadId,
} from "@xworkmate/contracts";
import type { Provider } from "../../ports/agents/provider.ts";
import type { ArtifactStore } from "../../ports/artifacts/artifact-store.ts";
import type { RunWorkspace } from "../../ports/runs/run-workspace.ts";
import type { SessionStore } from "../../ports/runs/session-store.ts";
import type { ThreadDeletion } from "../../ports/runs/thread-deletion.ts";
import type { RunLookup } from "./run-lookup.ts";

export interface ThreadRemovalDeps {
	readonly deletion: ThreadDeletion;
	readonly sessions: SessionStore;
	readonly artifactStore: ArtifactStore;
	readonly workspace: RunWorkspace;
	readonly lookup: RunLookup;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
	/** Called for each run after its bytes are removed and before its records are removed. */
	readonly noteRemoved: (runId: RunId) => Promise<void>;
	readonly onError: (error: unknown) => void;
}

const DELETE_PLAN = "Delete the plan first, or wait until it has finished.";

type Removed = MethodResult<"xworkmate.threads.delete">;

/**
 * Deletes a thread. Its folders are removed first, so that a folder that cannot be removed leaves the thread's records unchanged. Then the
 * thread is hidden, and its bytes and records are removed run by run. If the bridge ends before that is done, the next start continues it.
 */
export class ThreadRemoval implements AsyncDisposable {
	readonly #deps: ThreadRemovalDeps;
	readonly #stopping = new AbortController();
	readonly #removals = new Set<Promise<unknown>>();

	constructor(deps: ThreadRemovalDeps) {
		this.#deps = deps;
	}

	/**
	 * Deletes a thread, even one without runs.
	 * @throws ContractError THREAD_BUSY while a turn is unfinished, a plan works in the thread or its changes are being written,
	 * FOLDER_NOT_REMOVED, INTERNAL if the bridge stops during the removal
	 */
	async delete(threadId: ThreadId): Promise<Removed> {
		const { deletion, sessions, workspace, lookup, providers } = this.#deps;
		const lock = lookup.lock(threadId);
		let keptBranch: string | undefined;
		try {
			if (await deletion.isBusy(threadId)) throw new ContractError("THREAD_BUSY", { detail: "This thread is still running." });
			if (await deletion.hasPlan(threadId))
				throw new ContractError("THREAD_BUSY", { detail: "A plan uses this thread.", fix: DELETE_PLAN });
			const session = await sessions.findByThread(threadId);
			if (session !== undefined) await Promise.all([...providers.values()].map((provider) => provider.releaseSession(session.sessionId)));
			keptBranch = await workspace.removeThread(threadId, await deletion.projectDirectories(threadId));
			await deletion.hide(threadId);
		} catch (error) {
			lock[Symbol.dispose]();
			throw error;
		}
		return { ...(await this.#removeHidden(threadId, lock)), ...omitUndefined({ keptBranch }) };
	}

	/** The folders that `delete` would remove on this machine. */
	async folders(threadId: ThreadId): Promise<readonly ThreadFolder[]> {
		const { deletion, workspace } = this.#deps;
		return await workspace.threadFolders(threadId, await deletion.projectDirectories(threadId));
	}

	/** Continues deletions that the end of an earlier bridge interrupted. Returns once no turn can begin in their threads. */
	async resume(): Promise<void> {
		const { deletion, lookup, onError } = this.#deps;
		for (const threadId of await deletion.hidden()) {
			this.#removeHidden(threadId, lookup.lock(threadId)).catch((error: unknown) => {
				if (!this.#stopping.signal.aborted) onError(error);
			});
		}
	}

	/** Stops deletions; the next start continues them. */
	async [Symbol.asyncDispose](): Promise<void> {
		const detail = "The bridge is stopping. It will remove its part of this thread when it starts again.";
		this.#stopping.abort(new ContractError("INTERNAL", { detail, fix: "Start XWorkmate again, then delete the thread again." }));
		await this.settled();
	}

	/** Settles when no deletion is in progress. */
	async settled(): Promise<void> {
		await Promise.allSettled(this.#removals);
	}

	/** Removes the bytes and records of a hidden thread. If that fails, the thread stays locked, because a new run in it would be hidden too. */
	async #removeHidden(threadId: ThreadId, lock: Disposable): Promise<Removed> {
		const removal = this.#remove(threadId);
		this.#removals.add(removal);
		try {
			const removed = await removal;
			lock[Symbol.dispose]();
			return removed;
		} finally {
			this.#removals.delete(removal);
		}
	}

	async #remove(threadId: ThreadId): Promise<Removed> {
		const { deletion, artifactStore, workspace, noteRemoved } = this.#deps;
		let freedBytes = 0;
		const removeFiles = async (runId: RunId) => {
			freedBytes += await artifactStore.remove(runId);
			await workspace.removeInputs(runId);
			await noteRemoved(runId);
		};
		const deletedRuns = await deletion.remove(threadId, removeFiles, this.#stopping.signal);
		return { deletedRuns, freedBytes };
	}
}

import { existsSync } from "node:fs";
import { ContractError, type MethodResult, omitUndefined, type ThreadId } from "@xworkmate/contracts";
import { countFiles } from "@xworkmate/platform/files";
import type { DeletedThread, ThreadDeletionView } from "../api/app-api.ts";
import { type BridgeClient, BridgeTransportError } from "../bridge-client/index.ts";
import { AppError } from "../errors/app-error.ts";
import { removeThreadFolder, threadFolder } from "../workspace/index.ts";
import { decide, type Thread, type ThreadStore, type TurnRequest } from "./index.ts";
import { type ThreadRepository, timestamp } from "./thread-repository.ts";

export interface DeletionParts {
	readonly home: string;
	readonly repository: ThreadRepository;
	readonly store: Pick<ThreadStore, "tryDeletion" | "turnRecords">;
	readonly client: Pick<BridgeClient, "call">;
	/** True if a message was for another bridge than the one that the app asks now. */
	readonly isElsewhere: (request: TurnRequest) => boolean;
}

/**
 * Deletes a thread: first its runs at the bridge, then its folder, then its record, so that an interrupted deletion can be completed by
 * deleting the thread again.
 */
export class ThreadDeletion {
	readonly #parts: DeletionParts;
	readonly #underWay = new Set<ThreadId>();

	constructor(parts: DeletionParts) {
		this.#parts = parts;
	}

	isDeleting(threadId: ThreadId): boolean {
		return this.#underWay.has(threadId);
	}

	/** @throws AppError THREAD_BUSY while the thread is being deleted, THREAD_NOT_FOUND afterwards */
	refuseDuring(threadId: ThreadId): void {
		this.#parts.repository.refuseDeleted(threadId);
		if (this.isDeleting(threadId)) throw new AppError("THREAD_BUSY", "This thread is being deleted.", "Start a new one.");
	}

	/** @throws AppError THREAD_NOT_FOUND, THREAD_BUSY; ContractError or BridgeTransportError if the bridge cannot delete the runs */
	async delete(threadId: ThreadId): Promise<DeletedThread> {
		const { home, repository, store } = this.#parts;
		this.refuseDuring(threadId);
		const thread = repository.get(threadId);
		decide(thread, { type: "delete", at: timestamp() });
		this.#underWay.add(threadId);
		try {
			// Damage in the thread's record is found here, before anything has been deleted.
			store.tryDeletion(threadId);
			const { deletedRuns, freedBytes, keptBranch } = await this.#deleteRuns(thread);
			const folder = threadFolder(home, threadId);
			const there = existsSync(folder);
			removeThreadFolder(home, threadId);
			repository.delete(threadId);
			return { deletedRuns, freedBytes, ...omitUndefined({ keptBranch }), ...(there && { folder }) };
		} finally {
			this.#underWay.delete(threadId);
		}
	}

	/** What `delete` would delete. @throws AppError THREAD_NOT_FOUND */
	async describe(threadId: ThreadId): Promise<ThreadDeletionView> {
		const { home, repository, client } = this.#parts;
		const { turns } = repository.get(threadId);
		const path = threadFolder(home, threadId);
		const { files, isMore } = (await countFiles(path, MOST_COUNTED)) ?? { files: 0, isMore: false };
		const local = { ...this.#countRuns(threadId), folder: { path, files, ...(isMore && { more: true as const }) } };
		if (!hasReachedBridge(turns)) return { ...local, atBridge: [] };
		try {
			return { ...local, atBridge: (await client.call("xworkmate.threads.folders", { threadId })).folders };
		} catch (error) {
			// An earlier version of the bridge does not report these folders, and an unreachable bridge can't.
			if (!(error instanceof ContractError || error instanceof BridgeTransportError)) throw error;
			return local;
		}
	}

	/** Only the bridge that the app asks deletes its runs. Runs at another one stay there. */
	#countRuns(threadId: ThreadId): Pick<ThreadDeletionView, "runs" | "elsewhere" | "onGateway"> {
		const { store, isElsewhere } = this.#parts;
		const requests = store.turnRecords(threadId).flatMap(({ turn, request }) => (turn.runId === undefined ? [] : [request]));
		const others = requests.filter(isElsewhere);
		const addresses = [...new Set(others.flatMap(({ bridgeUrl }) => bridgeUrl ?? []))];
		const own = others.some(({ ownBridge }) => ownBridge === true);
		const elsewhere = { runs: others.length, addresses, ...(own && { own }) };
		const onGateway = requests.some(({ routing }) => routing.executionTarget === "gateway");
		return { runs: requests.length - others.length, ...(others.length > 0 && { elsewhere }), ...(onGateway && { onGateway }) };
	}

	async #deleteRuns({ threadId, turns }: Thread): Promise<MethodResult<"xworkmate.threads.delete">> {
		const none = { deletedRuns: 0, freedBytes: 0 };
		if (!hasReachedBridge(turns)) return none;
		try {
			return await this.#parts.client.call("xworkmate.threads.delete", { threadId });
		} catch (error) {
			const unknown = error instanceof ContractError && (error.code === "NOT_FOUND" || error.code === "SESSION_NOT_FOUND");
			if (unknown) return none;
			throw error;
		}
	}
}

const MOST_COUNTED = 10_000;

/** An unresolved turn, or one that was lost (interrupted without a run), may have reached the bridge without the app knowing. */
function hasReachedBridge(turns: Thread["turns"]): boolean {
	return turns.some((turn) => turn.runId !== undefined || turn.status === "unresolved" || turn.status === "interrupted");
}

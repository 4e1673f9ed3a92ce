import type { ThreadId, TurnId } from "@xworkmate/contracts";
import type { TurnFunctions } from "../api/methods.ts";
import type { BridgeClient, RestartedBridge } from "../bridge-client/index.ts";
import { AppError } from "../errors/app-error.ts";
import { type FolderState, folderState, whatSyncDid } from "../files/folder-state.ts";
import type { FilesOfThreads } from "../files/thread-files.ts";
import { findTurn, type ThreadStore } from "../threads/index.ts";
import type { ThreadDeletion } from "../threads/thread-deletion.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { threadFolder } from "../workspace/index.ts";
import type { BackgroundTurns } from "./background-turns.ts";
import { requestCancel } from "./request-cancel.ts";
import type { TurnFeed } from "./turn-feed.ts";

export interface TurnParts {
	readonly home: string;
	readonly store: ThreadStore;
	readonly repository: ThreadRepository;
	readonly client: BridgeClient;
	readonly restarted: RestartedBridge;
	readonly deletion: ThreadDeletion;
	readonly background: BackgroundTurns;
	readonly feed: TurnFeed;
	readonly files: FilesOfThreads;
}

export function turnFunctions({ home, store, repository, client, restarted, deletion, background, feed, files }: TurnParts): TurnFunctions {
	const mustHave = (threadId: ThreadId, turnId: TurnId) => {
		if (findTurn(repository.get(threadId), turnId) !== undefined) return;
		throw new AppError("TURN_NOT_FOUND", `This thread has no message ${turnId}.`, "Reload the thread.");
	};
	const folderNow = (threadId: ThreadId): Promise<FolderState> =>
		folderState(repository.get(threadId), threadFolder(home, threadId), files);
	return {
		watch({ threadId, turnId, afterSeq = 0 }) {
			mustHave(threadId, turnId);
			return feed.watch({ threadId, turnId }, afterSeq);
		},
		async readUpdates({ threadId, turnId, afterSeq, limit }) {
			const updates = store.readUpdates({ threadId, turnId }, afterSeq, limit + 1);
			return { updates: updates.slice(0, limit), more: updates.length > limit };
		},
		async cancel({ runId }) {
			const key = store.findRun(runId);
			if (key !== undefined) await requestCancel({ repository, client }, key);
			return await client.call("xworkmate.tasks.cancel", { runId });
		},
		async cancelTurn({ threadId, turnId, stoppedAfterMs }) {
			mustHave(threadId, turnId);
			const after = await requestCancel({ repository, client }, { threadId, turnId }, stoppedAfterMs);
			if (after.pendingTurnId === turnId) await background.active.cancel({ threadId, turnId });
			const { cancelRequestedAt, status } = findTurn(after, turnId) ?? {};
			// The turn's run is asked to stop as soon as the bridge answers.
			if (status === "unresolved") void background.unresolved.ask(threadId);
			return { applied: cancelRequestedAt !== undefined || status === "cancelled" };
		},
		tasks: (query) => restarted.ask(() => client.call("xworkmate.tasks.list", query)),
		async sync({ threadId, leaveEdits = false }) {
			const before = await folderNow(threadId);
			await background.partials.leave(threadId);
			deletion.refuseDuring(threadId);
			const { pendingTurnId } = repository.execute(threadId, [{ type: "start_sync", at: timestamp() }]);
			if (pendingTurnId !== undefined) await background.active.start({ threadId, turnId: pendingTurnId }, true, !leaveEdits);
			// A queued message may have been sent in the meantime, and its run must not share the folder with a download.
			const isTaken = repository.get(threadId).pendingTurnId !== undefined || deletion.isDeleting(threadId);
			const broughtBack = isTaken ? undefined : await background.partials.bringBack(threadId);
			const did = whatSyncDid(before, await folderNow(threadId));
			return { ...repository.get(threadId), ...did, ...(broughtBack && { broughtBack }) };
		},
		gatewayQueue: async () => background.gatewayQueue.view,
	};
}

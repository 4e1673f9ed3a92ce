import type { ComposerFunctions } from "../api/methods.ts";
import type { Drafts } from "./drafts.ts";
import type { MessageSender } from "./message-sender.ts";
import type { ThreadQueue } from "./thread-queue.ts";

export interface ComposerParts {
	readonly sender: MessageSender;
	readonly drafts: Drafts;
	readonly threadQueue: ThreadQueue;
}

export function composerFunctions({ sender, drafts, threadQueue }: ComposerParts): ComposerFunctions {
	return {
		send: sender.send,
		saveDraft: async (draft) => drafts.save(draft),
		keepDraftFile: async (file) => drafts.keepFile(file),
		dropDraftFile: async (file) => drafts.dropFile(file),
		queueMessage: (request) => threadQueue.add(request),
		editQueued: async ({ threadId, queuedId, change }) => threadQueue.edit(threadId, queuedId, change),
		moveQueued: async ({ threadId, queuedId, position }) => threadQueue.move(threadId, queuedId, position),
		dropQueued: async ({ threadId, queuedId, toDraft = false }) => threadQueue.drop(threadId, queuedId, toDraft),
		restoreQueued: async ({ threadId, queuedId }) => threadQueue.restore(threadId, queuedId),
		discardQueued: async ({ threadId, queuedId }) => threadQueue.discard(threadId, queuedId),
		sendQueued: ({ threadId }) => threadQueue.sendNext(threadId),
	};
}

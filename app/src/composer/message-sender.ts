import { SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { customAlphabet, nanoid } from "nanoid";
import type { SentTurn } from "../api/app-api.ts";
import type { SendRequest } from "../api/params.ts";
import type { GatewayQueue } from "../gateway-queue/index.ts";
import type { SqliteThreadStore, ThreadCommand } from "../threads/index.ts";
import type { ThreadDeletion } from "../threads/thread-deletion.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import type { BackgroundTurns } from "../turns/background-turns.ts";
import { composeTurn, titleOf } from "../turns/compose-turn.ts";
import { ensureThreadFolder, threadFolder } from "../workspace/index.ts";
import { attachAgain } from "./attach-again.ts";
import { filesOfDraft } from "./drafts.ts";

const mintSuffix = customAlphabet("23456789abcdefghjkmnpqrstuvwxyz", 10);

export interface MessageSenderParts {
	readonly home: string;
	readonly store: SqliteThreadStore;
	readonly repository: ThreadRepository;
	readonly deletion: Pick<ThreadDeletion, "refuseDuring">;
	readonly background: Pick<BackgroundTurns, "claim" | "begin"> & { readonly gatewayQueue: Pick<GatewayQueue, "admit"> };
}

/** Makes a turn of a message: composed, written, begun. */
export class MessageSender {
	readonly #parts: MessageSenderParts;

	constructor(parts: MessageSenderParts) {
		this.#parts = parts;
	}

	/** @throws AppError THREAD_NOT_FOUND, THREAD_BUSY, INVALID_INPUT, ATTACHMENT_GONE */
	send(request: SendRequest): Promise<SentTurn> {
		return this.sendAs(TurnId.parse(`turn-${nanoid()}`), request);
	}

	/** As `send`, under an id that the caller has minted. */
	async sendAs(turnId: TurnId, request: SendRequest): Promise<SentTurn> {
		const { home, store, repository, deletion, background } = this.#parts;
		const threadId = request.threadId ?? mintThreadId();
		await background.claim(threadId);
		if (request.continues === true) repository.get(threadId);
		deletion.refuseDuring(threadId);
		const again = request.attachAgain === undefined ? [] : attachAgain(store, threadId, request.attachAgain);
		const drafted = request.draft === undefined ? [] : filesOfDraft(store.ui, request.threadId, request.draft.files);
		const attachments = [...again, ...drafted, ...(request.attachments ?? [])];
		const created = composeTurn({ threadId, turnId, folder: threadFolder(home, threadId) }, { ...request, attachments });
		// Nothing is made for a message that is refused.
		ensureThreadFolder(home, threadId);
		const at = timestamp();
		const admission = request.routing.executionTarget === "gateway" ? background.gatewayQueue.admit() : "run";
		const commands: readonly ThreadCommand[] = [
			{ type: "create", threadId, sessionId: SessionId.parse(threadId), title: titleOf(request.prompt), at },
			{ type: "send", turnId, at, admission },
		];
		// The turn is on the disk before it is sent to the bridge.
		const { prompt, draft } = request;
		const sentDraft = draft && { ...draft, prompt, ...(request.threadId && { threadId: request.threadId }) };
		repository.execute(threadId, commands, { created, ...(sentDraft && { sentDraft }) });
		background.begin({ threadId, turnId }, admission);
		return { threadId, turnId };
	}
}

/** A draft key; the bridge maps it to its own session keys. */
function mintThreadId(): ThreadId {
	return ThreadId.parse(`draft:${new Date().toISOString().slice(0, 10)}-${mintSuffix()}`);
}

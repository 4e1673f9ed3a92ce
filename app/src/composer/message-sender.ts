import { SessionId } from "@xworkmate/contracts";
import type { SentTurn } from "../api/app-api.ts";
import type { SendRequest } from "../api/params.ts";
import { AppError } from "../errors/app-error.ts";
import type { GatewayQueue } from "../gateway-queue/index.ts";
import type { SqliteThreadStore } from "../store/sqlite-thread-store.ts";
import { mintThreadId, mintTurnId } from "../threads/domain/minted-ids.ts";
import type { ThreadCommand, TurnRecord } from "../threads/index.ts";
import type { ThreadDeletion } from "../threads/thread-deletion.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import type { ActiveTurns } from "../turns/active-turns.ts";
import { composeTurn, titleOf } from "../turns/compose-turn.ts";
import type { PartialSyncs } from "../turns/partial-syncs.ts";
import { ensureThreadFolder, threadFolder } from "../workspace/index.ts";
import { attachAgain } from "./attach-again.ts";
import { filesOfDraft } from "./drafts.ts";

export interface MessageSenderParts {
	readonly home: string;
	readonly store: SqliteThreadStore;
	readonly repository: ThreadRepository;
	readonly deletion: Pick<ThreadDeletion, "refuseDuring">;
	readonly background: {
		readonly active: Pick<ActiveTurns, "start">;
		readonly partials: Pick<PartialSyncs, "leave">;
		readonly gatewayQueue: Pick<GatewayQueue, "admit">;
	};
}

/** Turns a message into a turn: composes it, writes it and starts it. */
export class MessageSender {
	readonly #parts: MessageSenderParts;

	constructor(parts: MessageSenderParts) {
		this.#parts = parts;
	}

	/**
	 * If the turn already exists, it is the result of the same press.
	 * @throws AppError THREAD_NOT_FOUND, THREAD_BUSY,
	 * INVALID_INPUT, ATTACHMENT_GONE
	 */
	async send(request: SendRequest): Promise<SentTurn> {
		const { home, store, repository, deletion, background } = this.#parts;
		const { turnId = mintTurnId(), threadId = request.begins ?? mintThreadId() } = request;
		await background.partials.leave(threadId);
		const known = store.turnRecord({ threadId, turnId });
		if (known !== undefined) return sameTurn(known, request.prompt);
		if (request.continues === true) repository.get(threadId);
		deletion.refuseDuring(threadId);
		const again = request.attachAgain === undefined ? [] : attachAgain(store, threadId, request.attachAgain);
		const drafted = request.draft === undefined ? [] : filesOfDraft(store.surface, request.threadId, request.draft.files);
		const attachments = [...again, ...drafted, ...(request.attachments ?? [])];
		const created = composeTurn({ threadId, folder: threadFolder(home, threadId) }, { ...request, attachments });
		// Nothing is created for a message that is refused.
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
		if (admission === "run") void background.active.start({ threadId, turnId }, false);
		return { threadId, turnId };
	}
}

/** @throws AppError INVALID_INPUT when another message has this id */
function sameTurn({ turn, threadId, request }: TurnRecord, prompt: string): SentTurn {
	if (request.prompt === prompt) return { threadId, turnId: turn.turnId };
	throw new AppError("INVALID_INPUT", "Another message was already sent under this id.", "Send it under an id of its own.");
}

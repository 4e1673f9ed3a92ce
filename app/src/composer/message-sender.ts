import { SessionId, type ThreadId } from "@xworkmate/contracts";
import type { SentTurn } from "../api/app-api.ts";
import type { ComposerFunctions } from "../api/methods.ts";
import type { SendRequest } from "../api/params.ts";
import { AppError } from "../errors/app-error.ts";
import type { GatewayQueue } from "../gateway-queue/index.ts";
import type { SqliteThreadStore } from "../store/sqlite-thread-store.ts";
import { ASSISTANT } from "../strings/codes.ts";
import { earlierConversation, isToBeTold } from "../threads/domain/earlier-conversation.ts";
import { mintThreadId, mintTurnId } from "../threads/domain/minted-ids.ts";
import type { Thread, ThreadCommand, TurnRecord } from "../threads/index.ts";
import type { ThreadDeletion } from "../threads/thread-deletion.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import type { ActiveTurns } from "../turns/active-turns.ts";
import { bridgeOfTurn } from "../turns/bridge-of-turn.ts";
import { composeTurn, type ToldEarlier, titleOf } from "../turns/compose-turn.ts";
import type { PartialSyncs } from "../turns/partial-syncs.ts";
import { ensureThreadFolder, threadFolder } from "../workspace/index.ts";
import { attachAgain } from "./attach-again.ts";
import { filesOfDraft } from "./drafts.ts";

/** This provider runs the message as a program, so it can't be told about an earlier conversation. */
const SCRIPT = "script";

export interface MessageSenderParts {
	readonly home: string;
	/** The address of a bridge elsewhere; undefined if the app asks the bridge of its own home. */
	readonly bridgeUrl: string | undefined;
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
	 * If the turn already exists, the call repeats an earlier one, and its result is that turn.
	 * @throws AppError THREAD_NOT_FOUND for the id of a deleted thread; with `continues`, for any id without a thread; and for a new thread
	 * with `continuesFrom`, if that thread does not exist. Otherwise TURN_NOT_FOUND (in `continuesFrom`), THREAD_BUSY, INVALID_INPUT,
	 * ATTACHMENT_GONE, WORKSPACE_REFUSED
	 */
	readonly send: ComposerFunctions["send"] = async (request) => {
		const { home, store, repository, deletion, background, bridgeUrl } = this.#parts;
		const { turnId = mintTurnId(), threadId = request.begins ?? mintThreadId() } = request;
		await background.partials.leave(threadId);
		const known = store.turnRecord({ threadId, turnId });
		if (known !== undefined) return sameTurn(known, request.prompt);
		if (request.continues === true) repository.get(threadId);
		deletion.refuseDuring(threadId);
		const again = request.attachAgain === undefined ? [] : attachAgain(store, threadId, request.attachAgain);
		const drafted = request.draft === undefined ? [] : filesOfDraft(store.surface, request.threadId, request.draft.files);
		const attachments = [...again, ...drafted, ...(request.attachments ?? [])];
		const earlier = this.#earlier(threadId, request);
		const composed = composeTurn({ threadId, folder: threadFolder(home, threadId), ...earlier }, { ...request, attachments });
		const created = { ...composed, request: { ...composed.request, ...bridgeOfTurn(bridgeUrl) } };
		// Nothing is created before this point, because the message could be refused until then.
		ensureThreadFolder(home, threadId);
		const at = timestamp();
		const admission = request.routing.executionTarget === "gateway" ? background.gatewayQueue.admit() : "run";
		const commands: readonly ThreadCommand[] = [
			{ type: "create", threadId, sessionId: SessionId.parse(threadId), title: titleOf(request.prompt), at },
			{ type: "send", turnId, at, admission },
		];
		// The turn is on disk before it is sent to the bridge.
		const { prompt, draft } = request;
		const sentDraft = draft && { ...draft, prompt, ...(request.threadId && { threadId: request.threadId }) };
		repository.execute(threadId, commands, { created, ...(sentDraft && { sentDraft }) });
		if (admission === "run") void background.active.start({ threadId, turnId }, false);
		return { threadId, turnId };
	};

	/**
	 * What the runtime is told about the thread that this one continues. It is included in each message until a run has succeeded. The
	 * assistant does not keep a conversation, so it receives this text every time. Absent if the source thread has been deleted since the
	 * first message.
	 */
	#earlier(threadId: ThreadId, { continuesFrom, routing }: SendRequest): { readonly earlier?: ToldEarlier } {
		const { store, repository } = this.#parts;
		const thread = repository.find(threadId);
		const from = thread === undefined ? continuesFrom : firstOf(store, thread)?.request.continues;
		// For a program, only the first message records what its thread continues.
		if (from === undefined || (routing.providerId === SCRIPT && thread !== undefined)) return {};
		if (thread !== undefined && routing.providerId !== ASSISTANT && !isToBeTold(thread)) return {};
		const source = thread === undefined ? repository.get(from.threadId) : repository.find(from.threadId);
		if (source === undefined) return {};
		const { text, given, leftOut } = earlierConversation(from.threadId, from.turnId, store.turnRecords(from.threadId));
		const isTold = routing.providerId !== SCRIPT;
		const continues = {
			threadId: from.threadId,
			turnId: from.turnId,
			title: source.title,
			given: isTold ? given : 0,
			leftOut: isTold ? leftOut : given + leftOut,
		};
		return { earlier: { continues, text: isTold ? text : "" } };
	}
}

function firstOf(store: SqliteThreadStore, { threadId, turns }: Thread): TurnRecord | undefined {
	const [first] = turns;
	return first && store.turnRecord({ threadId, turnId: first.turnId });
}

/** @throws AppError INVALID_INPUT when another message has this id */
function sameTurn({ turn, threadId, request }: TurnRecord, prompt: string): SentTurn {
	if (request.prompt === prompt) return { threadId, turnId: turn.turnId };
	throw new AppError("INVALID_INPUT", "Another message was already sent under this id.", "Send this message under a new id.");
}

import type { ThreadId, Timestamp, TurnId } from "@xworkmate/contracts";
import type { ComposerFunctions } from "../api/methods.ts";
import type { QueuedChange, QueueRequest, SendRequest } from "../api/params.ts";
import type { Draft, ThreadDetail } from "../api/ui-api.ts";
import { AppError } from "../errors/app-error.ts";
import type { SqliteThreadStore } from "../store/sqlite-thread-store.ts";
import type { SurfaceStore } from "../store/surface-store.ts";
import type { AppEvents } from "../threads/app-events.ts";
import { mintTurnId } from "../threads/domain/minted-ids.ts";
import { findTurn, type QueuedMessage, type Thread } from "../threads/index.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { attachedFile, composeTurn } from "../turns/compose-turn.ts";
import { threadFolder } from "../workspace/index.ts";
import { attachAgain } from "./attach-again.ts";
import { filesOfDraft } from "./drafts.ts";
import { outranStop, succeeded, wasTurnedAway } from "./ended-runs.ts";
import type { MessageSender } from "./message-sender.ts";
import { beingEdited, beingSent, MAX_QUEUED, notQueued, queueFull } from "./queue-errors.ts";
import { QueueRefusals } from "./queue-refusals.ts";
import { staysHeld } from "./stays-held.ts";
import { takeOut, takeOutRestored } from "./take-out.ts";

export interface ThreadQueueParts {
	readonly home: string;
	readonly store: SqliteThreadStore;
	readonly repository: ThreadRepository;
	readonly events: AppEvents;
	readonly sender: Pick<MessageSender, "send">;
	readonly fault: (error: unknown) => void;
}

/**
 * Messages queued behind their thread's turn. The next one is sent when that turn has succeeded. After any other end, and after a turn that
 * the user stopped or the full OpenClaw queue refused, the queue is held until the user resumes it, even if another message is sent first.
 * A message's id becomes its turn's id, so a crash can't send it twice. A `queuedId` that names no message: AppError QUEUED_NOT_FOUND.
 */
export class ThreadQueue {
	readonly #parts: ThreadQueueParts;
	readonly #sending = new Set<ThreadId>();
	/** Threads whose next message is sent soon, by `resume` or after the current tick, unless something prevents it. */
	readonly #due: Set<ThreadId>;
	readonly #changes = new Map<ThreadId, number>();
	readonly #refusals = new QueueRefusals();
	#closed = false;

	constructor(parts: ThreadQueueParts) {
		this.#parts = parts;
		this.#due = new Set(this.#store.threadsWithQueue());
		parts.events.on("threadWritten", ({ before, after }) => this.#threadWritten(before, after));
	}

	get #store(): SurfaceStore {
		return this.#parts.store.surface;
	}

	#list(threadId: ThreadId): readonly QueuedMessage[] {
		return this.#store.queued(threadId);
	}

	/** How many times the thread's queue has changed since the app started; undefined if it has not changed. */
	changesOf(threadId: ThreadId): number | undefined {
		return this.#changes.get(threadId);
	}

	/** True if messages are queued and only the user can resume sending. */
	#isHeld(thread: Thread): boolean {
		const { threadId, pendingTurnId } = thread;
		// This is checked first, because a thread with an active run is written often.
		if (pendingTurnId !== undefined || this.#sending.has(threadId)) return false;
		const [next] = this.#list(threadId);
		return next !== undefined && (next.typed !== undefined || !this.#sendsNext(thread) || !this.#due.has(threadId));
	}

	/** For a thread with queued messages: true if nothing sends the next one until the user acts. */
	isStuck({ threadId, pendingTurnId }: Pick<Thread, "threadId" | "pendingTurnId">): boolean {
		if (pendingTurnId !== undefined || this.#sending.has(threadId)) return false;
		if (!this.#due.has(threadId)) return true;
		const thread = this.#parts.repository.find(threadId);
		return thread !== undefined && this.#isHeld(thread);
	}

	/** True if the next message of the queue is sent automatically, unless it is being edited. */
	#sendsNext(thread: Thread): boolean {
		const { threadId, pendingTurnId, lifecycleStatus } = thread;
		return pendingTurnId === undefined && lifecycleStatus === "ready" && succeeded(thread) && !staysHeld(this.#list(threadId));
	}

	/** Marks the messages as held, so that they stay held after a message was sent past them. Without `heldAt`, removes the marks. */
	#hold(threadId: ThreadId, heldAt: Timestamp | undefined): void {
		for (const { queuedId, attachments: _notes, heldAt: _before, ...body } of this.#list(threadId))
			this.#store.putQueued(queuedId, { ...body, ...(heldAt !== undefined && { heldAt }) });
		this.#changed(threadId);
	}

	/** The thread's queue as a window reads it. */
	detail(thread: Thread): Pick<ThreadDetail, "queued" | "queueHeld" | "sendsNext" | "removed"> {
		const removed = this.#store.removed(thread.threadId);
		const queue = { queued: this.#refusals.noted(thread.threadId, this.#list(thread.threadId)), queueHeld: this.#isHeld(thread) };
		return { ...queue, ...(removed.length > 0 && { removed, sendsNext: this.#sendsNext(thread) }) };
	}

	/**
	 * If the message is already queued or sent, the call repeats an earlier one, and its result is that message.
	 * @throws AppError THREAD_NOT_FOUND, INVALID_INPUT, ATTACHMENT_GONE; as MessageSender.send
	 */
	async add({
		threadId,
		turnId: queuedId = mintTurnId(),
		attachments: given = [],
		attachAgain: wanted,
		draft,
		...rest
	}: QueueRequest): ReturnType<ComposerFunctions["queueMessage"]> {
		const thread = this.#parts.repository.get(threadId);
		const queued = this.#list(threadId);
		if (queued.some((message) => message.queuedId === queuedId)) return { queuedId };
		if (findTurn(thread, queuedId) !== undefined) return { turnId: queuedId };
		// Copied now, because the earlier message's files may have been removed by the time this message is sent.
		const again = wanted === undefined ? [] : attachAgain(this.#parts.store, threadId, wanted);
		if (thread.pendingTurnId === undefined && queued.length === 0) {
			const { turnId } = await this.#parts.sender.send({
				...{ threadId, turnId: queuedId, ...rest, attachments: [...again, ...given] },
				...(draft && { draft }),
			});
			return { turnId };
		}
		if (queued.length >= MAX_QUEUED) throw queueFull();
		if (rest.prompt.trim() === "") throw new AppError("INVALID_INPUT", "The message is empty.", "Write something first.");
		const attachments = [...again, ...(draft ? filesOfDraft(this.#store, threadId, draft.files) : []), ...given];
		this.#check(threadId, { ...rest, attachments });
		const body = { ...rest, createdAt: timestamp() };
		this.#store.addQueued(threadId, queuedId, body, attachments.map(attachedFile), draft && { ...draft, threadId, prompt: rest.prompt });
		this.#changed(threadId);
		return { queuedId };
	}

	/**
	 * Changes a message's text, or begins, saves or ends its edit. While a message is being edited, it keeps its position and is not sent.
	 * @throws AppError INVALID_INPUT
	 */
	edit(threadId: ThreadId, queuedId: string, change: QueuedChange): readonly QueuedMessage[] {
		const { queuedId: id, attachments: _notes, typed: before, ...body } = this.#find(threadId, queuedId);
		if (!("prompt" in change)) {
			const typed = "typed" in change ? change.typed : change.isEdited ? (before ?? body.prompt) : undefined;
			this.#store.putQueued(id, { ...body, ...(typed !== undefined && { typed }) });
			return this.#told(threadId);
		}
		if (change.prompt.trim() === "") throw new AppError("INVALID_INPUT", "The message is empty.", "Remove it from the queue instead.");
		const { createdAt: _at, heldAt: _held, ...request } = body;
		this.#check(threadId, { ...request, ...change });
		this.#store.putQueued(id, { ...body, ...change });
		return this.#told(threadId);
	}

	move(threadId: ThreadId, queuedId: string, position: number): readonly QueuedMessage[] {
		const found = this.#find(threadId, queuedId);
		const others = this.#list(threadId).flatMap((message) => (message.queuedId === found.queuedId ? [] : [message.queuedId]));
		this.#store.orderQueued(others.toSpliced(position, 0, found.queuedId));
		return this.#told(threadId);
	}

	/**
	 * Takes a message out of the queue without losing it, as `takeOut` does.
	 * @throws AppError DISK_FULL, ATTACHMENT_GONE (with `toDraft`)
	 */
	drop(threadId: ThreadId, queuedId: string, toDraft: boolean): { readonly draft?: Draft } {
		// Messages that were queued later have no mark of their own.
		if (staysHeld(this.#list(threadId))) this.#hold(threadId, timestamp());
		const draft = takeOut(this.#store, threadId, this.#find(threadId, queuedId), { toDraft, maxKept: MAX_QUEUED });
		this.#told(threadId);
		return draft ? { draft } : {};
	}

	/** Puts a removed message back at its old position. The queue's next message is then sent if nothing prevents it. */
	restore(threadId: ThreadId, queuedId: string): readonly QueuedMessage[] {
		const { queuedId: id, attachments: _a, removedAt: _at, removedFor: _why, isNext: _is, ...body } = this.#findRemoved(threadId, queuedId);
		this.#store.putQueued(id, body);
		return this.#told(threadId);
	}

	/** Deletes a removed message. */
	discard(threadId: ThreadId, queuedId: string): void {
		this.#store.dropQueued(this.#findRemoved(threadId, queuedId).queuedId);
		this.#told(threadId);
	}

	/**
	 * Sends the next message, however the last turn ended.
	 * @throws AppError THREAD_BUSY, QUEUED_NOT_FOUND; as MessageSender.send
	 */
	async sendNext(threadId: ThreadId): Promise<{ turnId: TurnId }> {
		const [next] = this.#list(threadId);
		if (next === undefined) throw notQueued();
		if (next.typed !== undefined) throw beingEdited();
		if (this.#sending.has(threadId)) throw beingSent();
		this.#sending.add(threadId);
		this.#refusals.clear(threadId);
		try {
			const sent = await this.#send(threadId, next);
			if (wasTurnedAway(this.#parts.repository.get(threadId), sent.turnId)) this.#hold(threadId, timestamp());
			else if (staysHeld(this.#list(threadId))) this.#hold(threadId, undefined);
			return sent;
		} catch (error) {
			// Behind an active turn, the message waits as usual, and is sent when that turn has ended.
			const isBehind = this.#parts.repository.find(threadId)?.pendingTurnId !== undefined;
			if (!isBehind) this.#refusals.put(threadId, next.queuedId, error);
			throw error;
		} finally {
			this.#sending.delete(threadId);
			this.#changed(threadId);
		}
	}

	/** Holds a queue that a message was sent past or that was archived. Sends the next one if a run has ended and nothing prevents it. */
	#threadWritten(before: Thread | undefined, after: Thread | undefined): void {
		const isPast = before !== undefined && after?.pendingTurnId !== undefined && findTurn(before, after.pendingTurnId) === undefined;
		// A queue that only waits for an edit does not count as held.
		const isOnlyEdited = isPast && succeeded(before) && this.#list(before.threadId)[0]?.typed !== undefined;
		const wasHeld = isPast && this.#isHeld(before) && !isOnlyEdited;
		if (wasHeld || (before?.lifecycleStatus === "archived" && after?.lifecycleStatus === "ready")) this.#hold(after.threadId, timestamp());
		if (after === undefined || before?.pendingTurnId === undefined || after.pendingTurnId !== undefined) return;
		if (outranStop(before, after, before.pendingTurnId)) this.#hold(after.threadId, timestamp());
		this.#goOnSoon(after.threadId);
	}

	/** After a restore from a backup, queued messages may have been sent already, so each is removed until the user puts it back. */
	holdRestored(): void {
		for (const threadId of takeOutRestored(this.#store)) this.#changed(threadId);
	}

	/** Resumes sending after a restart. */
	resume(): void {
		for (const threadId of this.#store.threadsWithQueue()) void this.#goOn(threadId);
	}

	#goOnSoon(threadId: ThreadId): void {
		this.#due.add(threadId);
		setImmediate(() => void this.#goOn(threadId));
	}

	close(): void {
		this.#closed = true;
	}

	async #goOn(threadId: ThreadId): Promise<void> {
		if (this.#closed) return;
		this.#due.delete(threadId);
		if (this.#sending.has(threadId)) return;
		const thread = this.#parts.repository.find(threadId);
		if (thread === undefined || !this.#sendsNext(thread) || this.#list(threadId).length === 0) return;
		try {
			await this.sendNext(threadId);
		} catch (error) {
			// The message stays in the queue, where the user can see it.
			if (!(error instanceof AppError)) this.#parts.fault(error);
		}
	}

	async #send(threadId: ThreadId, message: QueuedMessage): Promise<{ turnId: TurnId }> {
		const { queuedId, attachments: _notes, createdAt: _at, heldAt: _held, ...rest } = message;
		const { sender, repository } = this.#parts;
		const isNew = findTurn(repository.get(threadId), queuedId) === undefined;
		if (isNew) await sender.send({ threadId, turnId: queuedId, ...rest, attachments: this.#store.queuedAttachments(queuedId) });
		// The message was already sent, but the app ended before removing it. Its run may also have ended, so the next one is sent from here.
		else this.#goOnSoon(threadId);
		this.#store.dropQueued(queuedId);
		return { turnId: queuedId };
	}

	/** Throws AppError INVALID_INPUT for a message that could never be sent, so that it does not fail later, while the user is away. */
	#check(threadId: ThreadId, request: SendRequest): void {
		composeTurn({ threadId, folder: threadFolder(this.#parts.home, threadId) }, request);
	}

	#find(threadId: ThreadId, queuedId: string): QueuedMessage {
		const found = this.#list(threadId).find((message) => message.queuedId === queuedId);
		if (found === undefined || this.#sending.has(threadId)) throw notQueued();
		return found;
	}

	#findRemoved(threadId: ThreadId, queuedId: string): QueuedMessage {
		const found = this.#store.removed(threadId).find((message) => message.queuedId === queuedId);
		if (found === undefined) throw notQueued();
		return found;
	}

	#changed(threadId: ThreadId): void {
		this.#changes.set(threadId, (this.#changes.get(threadId) ?? 0) + 1);
		this.#parts.events.emit("summaryChanged", threadId);
	}

	/** Reports that the queue has changed, and returns the queue. Its next message may be ready now: it is sent if nothing prevents that. */
	#told(threadId: ThreadId): readonly QueuedMessage[] {
		this.#goOnSoon(threadId);
		this.#changed(threadId);
		return this.#list(threadId);
	}
}

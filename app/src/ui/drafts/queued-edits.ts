import type { ThreadId, TurnId } from "@xworkmate/contracts";
import type { QueuedMessage } from "../../api/ui-api.ts";
import { callApp } from "../connection/call-app.ts";

/** The text typed on this page for a queued message, until the edit is saved or cancelled here. */
interface QueuedEdit {
	readonly threadId: ThreadId;
	readonly queuedId: TurnId;
	readonly typed: string;
	/** True if the app has this text too. */
	readonly isKept?: true;
	/** True if the editor was opened with this text, which was typed before a reload or in another window. */
	readonly isTakenUp?: true;
}

const edits = new Map<TurnId, QueuedEdit>();
let keeping: Promise<unknown> = Promise.resolve();

export function noteEdit(edit: QueuedEdit): void {
	edits.set(edit.queuedId, edit);
}

/** Copies the app's text when an editor opens, so that the text survives the deletion of its thread. */
export function takeUpEdit(edit: Omit<QueuedEdit, "isKept" | "isTakenUp">): void {
	if (!edits.has(edit.queuedId)) edits.set(edit.queuedId, { ...edit, isKept: true, isTakenUp: true });
}

export function editsOf(threadId: ThreadId): readonly QueuedEdit[] {
	return [...edits.values()].filter((edit) => edit.threadId === threadId);
}

export function forgetEdit(queuedId: TurnId): void {
	edits.delete(queuedId);
}

/**
 * The text to open a message's editor with; undefined if the message is not being edited. Text that the app does not have yet is newer than
 * the app's text.
 */
export function typedFor({ queuedId, typed }: QueuedMessage): string | undefined {
	const edit = edits.get(queuedId);
	return typed === undefined || edit?.isKept ? typed : (edit?.typed ?? typed);
}

/** Saves the typed text in the app. */
export function keepEdit(queuedId: TurnId): void {
	const edit = edits.get(queuedId);
	if (edit === undefined || edit.isKept) return;
	const { threadId, typed } = edit;
	const kept = callApp("editQueued", { threadId, queuedId, change: { typed } }).then(
		() => {
			if (edits.get(queuedId) === edit) edits.set(queuedId, { ...edit, isKept: true });
		},
		// Text that cannot be saved now is saved with the next keystroke. Until then, it stays on the page.
		() => undefined,
	);
	keeping = Promise.all([keeping, kept]);
}

/** Waits for calls in progress, because a late one would reopen an edit that has ended. */
export async function settleEdits(): Promise<void> {
	await keeping;
}

/** Text that was typed here for a message whose edit was ended elsewhere. */
interface EndedEdit {
	readonly typed: string;
	/** True if the message is still queued, with other text. */
	readonly isQueued: boolean;
}

/**
 * Removes and returns the text that was typed here for messages that are no longer queued, or whose edit was ended in another window.
 * `before` is the queue that this page showed last; after a reload, it is undefined. Text that the other window saved is left out, because
 * it is not lost.
 */
export function takeEnded(
	threadId: ThreadId,
	before: readonly QueuedMessage[] | undefined,
	now: readonly QueuedMessage[],
): readonly EndedEdit[] {
	const isEdited = (list: readonly QueuedMessage[], id: TurnId) =>
		list.some(({ queuedId, typed }) => queuedId === id && typed !== undefined);
	const isEnded = ({ queuedId }: QueuedEdit) => {
		if (!now.some((message) => message.queuedId === queuedId)) return true;
		return (before === undefined || isEdited(before, queuedId)) && !isEdited(now, queuedId);
	};
	const ended = editsOf(threadId).filter(isEnded);
	for (const { queuedId } of ended) edits.delete(queuedId);
	return ended.flatMap(({ queuedId, typed, isTakenUp }) => {
		const message = now.find((one) => one.queuedId === queuedId);
		return isTakenUp || message?.prompt === typed ? [] : [{ typed, isQueued: message !== undefined }];
	});
}

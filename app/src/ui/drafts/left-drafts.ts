import type { ThreadId } from "@xworkmate/contracts";
import { noteOwn, ownDraft } from "./own-drafts.ts";
import { editsOf, forgetEdit } from "./queued-edits.ts";
import { putTabDraft, readTabDraft, type TabDraft } from "./tab-drafts.ts";

/** The text in this page's composer for the open thread. The app's own copy is deleted with the thread. */
let typed: { readonly threadId: ThreadId; readonly draft: TabDraft } | undefined;

export function noteTyped(threadId: ThreadId, draft: TabDraft): void {
	typed = { threadId, draft };
}

/**
 * Text that was typed here for a thread that has since been deleted: edits of queued messages, and below them the text of the message
 * field. The text is also saved in the tab's storage, so that it survives a reload.
 */
export function leftDraft(threadId: ThreadId): TabDraft | undefined {
	const known = readTabDraft(keyOf(threadId));
	if (known !== undefined) return known;
	const shown = typed?.threadId === threadId ? typed.draft : ownDraft(threadId);
	const { prompt = "", options = {}, files = [] } = shown ?? {};
	const prompts = [...editsOf(threadId).map((edit) => edit.typed), prompt].filter((each) => each.trim() !== "");
	if (prompts.length === 0 && files.length === 0) return undefined;
	const left = { prompt: prompts.join("\n\n"), options, files };
	putTabDraft(keyOf(threadId), left);
	return left;
}

/** Call this when the text has been put into a new message, or when the user deleted the thread on this page. */
export function forgetLeft(threadId: ThreadId): void {
	if (typed?.threadId === threadId) typed = undefined;
	for (const { queuedId } of editsOf(threadId)) forgetEdit(queuedId);
	noteOwn(threadId, undefined);
	putTabDraft(keyOf(threadId), undefined);
}

function keyOf(threadId: ThreadId): string {
	return `xworkmate.left.${threadId}`;
}

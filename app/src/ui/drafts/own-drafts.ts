import type { ThreadId } from "@xworkmate/contracts";
import type { Draft } from "../../api/ui-api.ts";
import { hasWords } from "../../threads/domain/replace-draft.ts";
import { putTabDraft, readTabDraft, type TabDraft } from "./tab-drafts.ts";

/** The text last typed on this page for a new thread, which is newer than what the app reported when the page was loaded. */
let typedNew: { readonly draft: TabDraft | undefined } | undefined;

/**
 * Records the text that was typed in this tab, or undefined once it has been sent or cleared. Without a thread, the text belongs to a new
 * thread.
 */
export function noteOwn(threadId: ThreadId | undefined, draft: TabDraft | undefined): void {
	if (threadId === undefined) typedNew = { draft };
	putTabDraft(keyOf(threadId), draft);
}

/** The text that was typed in this tab, even before a reload. A duplicated tab starts with a copy, and then keeps its own text. */
export function ownDraft(threadId: ThreadId | undefined): TabDraft | undefined {
	return threadId === undefined && typedNew !== undefined ? typedNew.draft : readTabDraft(keyOf(threadId));
}

/**
 * The draft to open a composer with. The app has one draft for all windows, written by the window in which the user last typed. Each tab
 * prefers its own text, and then does not show files that were attached elsewhere.
 */
export function draftFor(threadId: ThreadId | undefined, told: Draft | undefined): Draft | undefined {
	const own = ownDraft(threadId);
	if (own === undefined) return threadId === undefined && typedNew !== undefined ? undefined : told;
	const { updatedAt = new Date().toISOString(), files: kept = [] } = told ?? {};
	// In the app, a draft never has two files with the same name.
	const files = kept.filter(({ name }) => own.files.includes(name));
	return { prompt: own.prompt, ...own.options, updatedAt, ...(files.length > 0 && { files }) };
}

/** True if the app has the text that a composer is opened with, even if only as text from another window. */
export function isAtApp(draft: Draft | undefined, told: Draft | undefined): boolean {
	if (draft === undefined || told === undefined) return false;
	return [told.prompt, ...(told.earlier ?? [])].some((text) => hasWords(text, draft.prompt));
}

function keyOf(threadId: ThreadId | undefined): string {
	return threadId === undefined ? "xworkmate.new" : `xworkmate.own.${threadId}`;
}

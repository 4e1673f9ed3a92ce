import type { ThreadId } from "@xworkmate/contracts";
import type { Draft } from "../../api/ui-api.ts";
import { putTabDraft, readTabDraft, type TabDraft } from "./tab-drafts.ts";

/** The text typed last on this page for a new thread, which is newer than the app's state at page load. */
let typedNew: { readonly draft: TabDraft | undefined } | undefined;

/** Records the text typed in this tab; undefined = it was sent or cleared. Without a thread, the text belongs to a new thread. */
export function noteOwn(threadId: ThreadId | undefined, draft: TabDraft | undefined): void {
	if (threadId === undefined) typedNew = { draft };
	putTabDraft(keyOf(threadId), draft);
}

/** The text typed in this tab, including before a reload. A duplicated tab starts with a copy and then has its own text. */
export function ownDraft(threadId: ThreadId | undefined): TabDraft | undefined {
	return threadId === undefined && typedNew !== undefined ? typedNew.draft : readTabDraft(keyOf(threadId));
}

/**
 * The draft to open a composer with. The app has one draft for all windows, written by the window that typed last; each tab prefers
 * its own text, and does not show files attached elsewhere.
 */
export function draftFor(threadId: ThreadId | undefined, told: Draft | undefined): Draft | undefined {
	const own = ownDraft(threadId);
	if (own === undefined) return threadId === undefined && typedNew !== undefined ? undefined : told;
	const { updatedAt = new Date().toISOString(), files: kept = [] } = told ?? {};
	// The app never keeps two files with the same name for a draft.
	const files = kept.filter(({ name }) => own.files.includes(name));
	return { prompt: own.prompt, ...own.options, updatedAt, ...(files.length > 0 && { files }) };
}

function keyOf(threadId: ThreadId | undefined): string {
	return threadId === undefined ? "xworkmate.new" : `xworkmate.own.${threadId}`;
}

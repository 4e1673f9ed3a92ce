import type { ThreadId } from "@xworkmate/contracts";
import type { Draft } from "../../api/ui-api.ts";
import { putTabDraft, readTabDraft, type TabDraft } from "./tab-drafts.ts";

/** The text typed last in this page for a new thread, which is newer than the app's state at page load. */
let typedNew: { readonly draft: TabDraft | undefined } | undefined;

/** Notes what was typed in this tab; undefined = it was sent, or nothing is left of it. An absent thread is a new one. */
export function noteOwn(threadId: ThreadId | undefined, draft: TabDraft | undefined): void {
	if (threadId === undefined) typedNew = { draft };
	putTabDraft(keyOf(threadId), draft);
}

/** What was typed in this tab, also before a reload. A duplicated tab begins with a copy and continues with it as its own. */
export function ownDraft(threadId: ThreadId | undefined): TabDraft | undefined {
	return threadId === undefined && typedNew !== undefined ? typedNew.draft : readTabDraft(keyOf(threadId));
}

/**
 * The draft to open a composer with. The app has one draft for all windows, and the window that typed last wrote it: each
 * tab prefers its own words, and leaves alone what was attached elsewhere.
 */
export function draftFor(threadId: ThreadId | undefined, told: Draft | undefined): Draft | undefined {
	const own = ownDraft(threadId);
	if (own === undefined) return threadId === undefined && typedNew !== undefined ? undefined : told;
	const { updatedAt = new Date().toISOString(), files: kept = [] } = told ?? {};
	// The app keeps no two files of one name for a draft.
	const files = kept.filter(({ name }) => own.files.includes(name));
	return { prompt: own.prompt, ...own.options, updatedAt, ...(files.length > 0 && { files }) };
}

function keyOf(threadId: ThreadId | undefined): string {
	return threadId === undefined ? "xworkmate.new" : `xworkmate.own.${threadId}`;
}

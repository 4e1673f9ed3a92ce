import type { ThreadId } from "@xworkmate/contracts";
import type { Draft } from "../../core/ui-api.ts";

/** A message that was typed and not sent. */
export interface LeftDraft {
	readonly prompt: string;
	readonly options: Omit<Draft, "prompt" | "updatedAt" | "files">;
	/** Names of what was attached. */
	readonly files: readonly string[];
}

/** What this page's composer has for the thread that is open. The app's copy goes when the thread is deleted. */
let typed: { readonly threadId: ThreadId; readonly draft: LeftDraft } | undefined;

export function noteTyped(threadId: ThreadId, draft: LeftDraft): void {
	typed = { threadId, draft };
}

/** What was typed here for a thread that was deleted since. It is in the browser's storage from then on, so that a reload shows it too. */
export function leftDraft(threadId: ThreadId): LeftDraft | undefined {
	if (typed?.threadId !== threadId) return stored(threadId);
	const { draft } = typed;
	if (draft.prompt.trim() === "" && draft.files.length === 0) return undefined;
	try {
		sessionStorage.setItem(keyOf(threadId), JSON.stringify(draft));
	} catch {
		// A browser may keep nothing: then it is there as long as this page is.
		return draft;
	}
	return draft;
}

/** It is in a new message now. */
export function forgetLeft(threadId: ThreadId): void {
	if (typed?.threadId === threadId) typed = undefined;
	try {
		sessionStorage.removeItem(keyOf(threadId));
	} catch {
		// A browser that keeps nothing has nothing to forget.
		return;
	}
}

function stored(threadId: ThreadId): LeftDraft | undefined {
	try {
		const read: unknown = JSON.parse(sessionStorage.getItem(keyOf(threadId)) ?? "null");
		return isDraft(read) ? read : undefined;
	} catch {
		// Nothing can be read, or something else was written there.
		return undefined;
	}
}

function isDraft(value: unknown): value is LeftDraft {
	if (typeof value !== "object" || value === null || !("prompt" in value && "options" in value && "files" in value)) return false;
	return typeof value.prompt === "string" && typeof value.options === "object" && value.options !== null && Array.isArray(value.files);
}

function keyOf(threadId: ThreadId): string {
	return `xworkmate.left.${threadId}`;
}

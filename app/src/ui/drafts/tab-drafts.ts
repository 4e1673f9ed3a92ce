import type { Draft } from "../../api/ui-api.ts";

/** What was typed in this tab and not sent. */
export interface TabDraft {
	readonly prompt: string;
	readonly options: Omit<Draft, "prompt" | "updatedAt" | "files" | "earlier">;
	/** Names of what was attached; the app has the files. */
	readonly files: readonly string[];
}

/** Keeps a draft in the tab's own storage, which a reload outlives and no other window writes; undefined = removes it. */
export function putTabDraft(key: string, draft: TabDraft | undefined): void {
	try {
		// Removed first: where the new one does not fit, an older one must not take its place after a reload.
		sessionStorage.removeItem(key);
		if (draft !== undefined) sessionStorage.setItem(key, JSON.stringify(draft));
	} catch {
		// A browser may keep nothing, or no more: then the app's copy is all that a reload finds.
		return;
	}
}

export function readTabDraft(key: string): TabDraft | undefined {
	try {
		const read: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
		return isDraft(read) ? read : undefined;
	} catch {
		// Nothing can be read, or something else was written there.
		return undefined;
	}
}

function isDraft(value: unknown): value is TabDraft {
	if (typeof value !== "object" || value === null || !("prompt" in value && "options" in value && "files" in value)) return false;
	return typeof value.prompt === "string" && typeof value.options === "object" && value.options !== null && Array.isArray(value.files);
}

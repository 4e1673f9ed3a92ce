import type { Draft } from "../../api/ui-api.ts";

/** Unsent text typed in this tab. */
export interface TabDraft {
	readonly prompt: string;
	readonly options: Omit<Draft, "prompt" | "updatedAt" | "files" | "earlier">;
	/** The names of attached files; the app has the files themselves. */
	readonly files: readonly string[];
}

/** Keeps a draft in the tab's own storage, which survives a reload and which no other window writes to; undefined removes it. */
export function putTabDraft(key: string, draft: TabDraft | undefined): void {
	try {
		// The old draft is removed first, so that it does not reappear after a reload if the new one does not fit.
		sessionStorage.removeItem(key);
		if (draft !== undefined) sessionStorage.setItem(key, JSON.stringify(draft));
	} catch {
		// The browser cannot store the draft, or its storage is full, so after a reload only the app's copy exists.
		return;
	}
}

export function readTabDraft(key: string): TabDraft | undefined {
	try {
		const read: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
		return isDraft(read) ? read : undefined;
	} catch {
		// Storage cannot be read, or contains something else.
		return undefined;
	}
}

function isDraft(value: unknown): value is TabDraft {
	if (typeof value !== "object" || value === null || !("prompt" in value && "options" in value && "files" in value)) return false;
	return typeof value.prompt === "string" && typeof value.options === "object" && value.options !== null && Array.isArray(value.files);
}

import type { ThreadId } from "@xworkmate/contracts";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { Store } from "../connection/store.ts";

/** The open dialog about a thread. There is one for the whole page. */
export const askedDialog = new Store<{ readonly what: "rename" | "tags" | "usage" | "delete"; readonly threadId: ThreadId } | undefined>(
	undefined,
);

export function askRename(thread: ThreadSummary): void {
	askedDialog.set({ what: "rename", threadId: thread.threadId });
}

export function askTags(thread: ThreadSummary): void {
	askedDialog.set({ what: "tags", threadId: thread.threadId });
}

export function askUsage(thread: ThreadSummary): void {
	askedDialog.set({ what: "usage", threadId: thread.threadId });
}

export function askDelete(thread: ThreadSummary): void {
	askedDialog.set({ what: "delete", threadId: thread.threadId });
}

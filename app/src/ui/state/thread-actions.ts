import type { ThreadSummary } from "../../api/ui-api.ts";
import { count, fill, words } from "../../strings/interface.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { forgetLeft } from "../drafts/left-drafts.ts";
import { visibleName } from "../text/visible-text.ts";
import { isHeld } from "../turn/thread-state.ts";
import { go, route, threadOf } from "./route.ts";
import { say } from "./toasts.ts";

type Named = Pick<ThreadSummary, "threadId" | "title">;

/** Performs an action and shows a message if it fails. */
export async function attempt(act: () => Promise<unknown>): Promise<boolean> {
	const problem = await problemOf(act);
	if (problem !== undefined) say(problem);
	return problem === undefined;
}

/** Performs an action. Resolves with the problem and its fix if it fails, otherwise with undefined. */
export async function problemOf(act: () => Promise<unknown>): Promise<string | undefined> {
	try {
		await act();
		return undefined;
	} catch (error) {
		return sayError(error);
	}
}

/** Queued messages stay queued and are not sent. The user is told so, because “Waiting for you” no longer lists the thread. */
function archive(thread: ThreadSummary): void {
	const { threadId, title, queuedCount } = thread;
	const held = isHeld(thread) ? ` (${fill(words.sidebar.held, { messages: count(queuedCount, "queued message") })})` : "";
	void attempt(async () => {
		await callApp("archiveThread", { threadId });
		const undo = () => void attempt(() => callApp("restoreThread", { threadId }));
		say(`${fill(words.archive.done, { title: visibleName(title) })}${held}`, { word: words.menu.undo, undo });
	});
}

function restore({ threadId, title }: Named): void {
	void attempt(async () => {
		await callApp("restoreThread", { threadId });
		say(fill(words.archive.restored, { title: visibleName(title) }));
	});
}

/** Archives or restores a thread: the action of the shortcut and the menu. */
export function toggleArchived(thread: ThreadSummary): void {
	if (thread.lifecycleStatus === "archived") restore(thread);
	else archive(thread);
}

export async function remove({ threadId, title }: Named): Promise<void> {
	await attempt(async () => {
		const { keptBranch } = await callApp("deleteThread", { threadId });
		forgetLeft(threadId);
		if (threadOf(route.value) === threadId) go({ page: "home" });
		const named = { title: visibleName(title), branch: visibleName(keptBranch ?? "") };
		say(fill(keptBranch === undefined ? words.removed : words.removedKept, named));
	});
}

/** Pins the thread to the top of the list, or unpins it. */
export function togglePinned({ threadId, pinnedAt }: Pick<ThreadSummary, "threadId" | "pinnedAt">): void {
	void attempt(() => callApp("markThread", { threadId, pinned: pinnedAt === undefined }));
}

export function setTags(threadId: ThreadSummary["threadId"], tags: readonly string[]): Promise<boolean> {
	return attempt(() => callApp("markThread", { threadId, tags: [...tags] }));
}

export function rename(threadId: ThreadSummary["threadId"], title: string): Promise<boolean> {
	return attempt(() => callApp("renameThread", { threadId, title }));
}

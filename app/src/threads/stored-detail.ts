import { omitUndefined } from "@xworkmate/contracts";
import type { ThreadDetail } from "../api/ui-api.ts";
import type { SqliteThreadStore } from "../store/sqlite-thread-store.ts";
import { threadFolder } from "../workspace/index.ts";
import type { Thread } from "./index.ts";

/** A thread as a window reads it, from what is stored. `home` is XWORKMATE_HOME. */
export function storedDetail(
	store: SqliteThreadStore,
	home: string,
	thread: Thread,
): Pick<ThreadDetail, "thread" | "turns" | "folder" | "draft"> {
	const { threadId } = thread;
	const kept = store.surface.keptAttachments(threadId);
	const turns = store.turnRecords(threadId).map(({ turn, request, snapshot }) => {
		const keptAttachments = kept.get(turn.turnId);
		return { turn, request, ...omitUndefined({ snapshot, keptAttachments }) };
	});
	const draft = store.surface.drafts.get(threadId);
	return { thread, turns, folder: threadFolder(home, threadId), ...omitUndefined({ draft }) };
}

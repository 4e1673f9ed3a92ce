import { omitUndefined, type TurnId } from "@xworkmate/contracts";
import type { ThreadDetail } from "../api/ui-api.ts";
import type { SqliteThreadStore } from "../store/sqlite-thread-store.ts";
import { threadFolder } from "../workspace/index.ts";
import type { Thread } from "./index.ts";

/** A thread as a window reads it, from what is stored. With `only`, it contains just these turns. `home` is XWORKMATE_HOME. */
export function storedDetail(
	store: SqliteThreadStore,
	home: string,
	thread: Thread,
	only?: ReadonlySet<TurnId>,
): Pick<ThreadDetail, "thread" | "turns" | "folder" | "draft"> {
	const { threadId } = thread;
	const kept = store.surface.keptAttachments(threadId);
	const some = only && thread.turns.filter(({ turnId }) => only.has(turnId));
	const records = some?.flatMap(({ turnId }) => store.turnRecord({ threadId, turnId }) ?? []) ?? store.turnRecords(threadId);
	const turns = records.map(({ turn, request, snapshot }) => {
		const keptAttachments = kept.get(turn.turnId);
		return { turn, request, ...omitUndefined({ snapshot, keptAttachments }) };
	});
	const draft = store.surface.drafts.get(threadId);
	return { thread: some ? { ...thread, turns: some } : thread, turns, folder: threadFolder(home, threadId), ...omitUndefined({ draft }) };
}

import { useCallback, useState } from "react";
import { callApp } from "../connection/call-app.ts";
import { readPages } from "../plans/read-pages.ts";
import { usePlanRead } from "../plans/use-plans.ts";

/** The maximum number of messages that the bridge lists or marks in one call. */
const PAGE = 200;

/** The newest messages, and older ones on request. `unread` counts all unread messages of the inbox. */
export function useInbox() {
	const [count, setCount] = useState(PAGE);
	const ask = useCallback(async () => {
		let unread = 0;
		const listed = await readPages(count, async (after) => {
			const page = await callApp("inbox", { limit: PAGE, ...after });
			unread = page.unread;
			return page;
		});
		return { ...listed, unread };
	}, [count]);
	const { value, problem, asOf, read } = usePlanRead(ask);
	const shown = value?.items.length ?? 0;
	return { value, problem, asOf, read, readOlder: () => setCount(shown + PAGE) };
}

/** Marks the whole inbox as read, including messages that aren't listed. The cursor leaves out messages that arrive in the meantime. */
export async function markAllRead(): Promise<void> {
	let cursor: string | undefined;
	do {
		const page = await callApp("inbox", { unread: true, limit: PAGE, ...(cursor !== undefined && { cursor }) });
		const messageIds = page.items.map(({ messageId }) => messageId);
		if (messageIds.length > 0) await callApp("markInbox", { messageIds, read: true });
		cursor = page.nextCursor;
	} while (cursor !== undefined);
}

import type { InboxMessage } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { PlanStore } from "../../../ports/plans/plan-store.ts";
import { createKeysetList } from "../rows/keyset-list.ts";
import { decodeRecord } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";

/** Reads the inbox, and marks its messages as read or unread. */
export function createPlanInbox(db: Database): Pick<PlanStore, "inbox" | "mark"> {
	const list = createKeysetList(db, {
		kind: "inbox",
		table: "dashboard_message",
		key: "id",
		body: "json_set(body, '$.read', json(iif(read = 0, 'false', 'true')))",
		always: "TRUE",
		filters: { unread: "read = 0" },
	});
	const count = db.prepare<[], number>("SELECT count(*) FROM dashboard_message WHERE read = 0").pluck();
	const set = db.prepare<[number, string, number]>("UPDATE dashboard_message SET read = ? WHERE message_id = ? AND read <> ?");
	const mark = db.transaction((messageIds: readonly string[], read: number) => {
		for (const messageId of messageIds) set.run(read, messageId, read);
		return count.get() ?? 0;
	});
	return {
		inbox: ({ unread, limit, cursor }) =>
			answer(db.name, () => {
				const { bodies, ...next } = list({ filter: { unread: unread === true ? "yes" : undefined }, limit, cursor });
				return { items: bodies.map((body) => decodeRecord<InboxMessage>(body)), unread: count.get() ?? 0, ...next };
			}),
		mark: (messageIds, read) => answer(db.name, () => mark.immediate(messageIds, read ? 1 : 0)),
	};
}

import type { ChannelFunctions } from "../api/plan-rows.ts";
import type { BridgeClient } from "../bridge-client/index.ts";
import type { PlanBook } from "./plan-book.ts";

/** @param book receives the number of unread messages in the inbox */
export function channelFunctions(client: Pick<BridgeClient, "call">, book: Pick<PlanBook, "seeUnread">): ChannelFunctions {
	return {
		channels: () => client.call("xworkmate.channels.list", {}),
		setUpChannel: (settings) => client.call("xworkmate.channels.configure", settings),
		removeChannel: (channel) => client.call("xworkmate.channels.remove", channel),
		testChannel: (test) => client.call("xworkmate.channels.test", test),
		contacts: () => client.call("xworkmate.contacts.list", {}),
		putContact: (contact) => client.call("xworkmate.contacts.put", contact),
		removeContact: (contact) => client.call("xworkmate.contacts.remove", contact),
		inbox: (query) => client.call("xworkmate.inbox.list", query),
		markInbox: async (messages) => {
			const marked = await client.call("xworkmate.inbox.mark", messages);
			book.seeUnread(marked.unread);
			return marked;
		},
	};
}

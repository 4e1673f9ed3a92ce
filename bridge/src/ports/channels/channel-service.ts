import type { MethodParams, MethodResult } from "@xworkmate/contracts";

type ChannelCall = "channels.list" | "channels.configure" | "channels.remove" | "channels.test";
type ContactCall = "contacts.list" | "contacts.put" | "contacts.remove";
type InboxCall = "inbox.list" | "inbox.mark";

/** What the RPC methods need from channels, contacts and the inbox. */
export type ChannelService = {
	readonly [C in ChannelCall | ContactCall | InboxCall]: (
		params: MethodParams<`xworkmate.${C}`>,
	) => Promise<MethodResult<`xworkmate.${C}`>>;
};

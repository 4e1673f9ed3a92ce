import type { ChannelId } from "@xworkmate/contracts";
import { channelWords } from "../../strings/plans/plan-words.ts";

/** The channels of messages, each once: “Email and Discord”. */
export function channelList(messages: readonly { readonly channel: ChannelId }[]): string {
	return new Intl.ListFormat("en", { type: "conjunction" }).format(new Set(messages.map(({ channel }) => channelWords[channel])));
}

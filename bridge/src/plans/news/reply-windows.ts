import type { ReplyWindows } from "../../ports/channels/channel-news.ts";
import type { ChannelStore } from "../../ports/channels/channel-store.ts";
import { timestamp } from "../../ports/clock.ts";

/** How long an address may be sent free-form messages after it wrote to us. */
const WINDOW_MS = 24 * 60 * 60_000;

/** Reply windows, kept across restarts. */
export function createReplyWindows(store: Pick<ChannelStore, "windowUntil" | "openWindow">): ReplyWindows {
	return {
		until: (channel, address) => store.windowUntil(channel, address),
		note: (channel, address, at) => store.openWindow(channel, address, timestamp(Date.parse(at) + WINDOW_MS)),
	};
}

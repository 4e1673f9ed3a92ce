import type { Correspondent, ReplyWindows } from "../../ports/channels/channel-news.ts";
import type { ChannelStore } from "../../ports/channels/channel-store.ts";
import { timestamp } from "../../ports/clock.ts";

/** How long free-form messages may be sent to an address after it wrote to the user. */
const WINDOW_MS = 24 * 60 * 60_000;

/** Reply windows, kept across restarts. */
export function createReplyWindows(store: Pick<ChannelStore, "windowUntil" | "openWindow">): ReplyWindows {
	return {
		until: (who) => store.windowUntil(who.channel, keyOf(who)),
		note: (who, at) => store.openWindow(who.channel, keyOf(who), timestamp(Date.parse(at) + WINDOW_MS)),
	};
}

/** Windows stored by earlier versions have no number. It is unknown which number they apply to, so they are never found. */
function keyOf({ address, number }: Correspondent): string {
	return number === undefined ? address : `${address} to ${number}`;
}

import type { Channel } from "@xworkmate/contracts";
import { formatSpan } from "../format-measure.ts";

/** True if it is unknown whether the message of a channel's last test was sent: such a test has not failed. */
export function isOpen(tested: Channel["tested"]): boolean {
	return tested?.ok === false && tested.problem?.code === "NO_ANSWER";
}

export type ChannelState = "unready" | "untested" | "unknown" | "failed" | "ready";

/**
 * A channel that is set up is ready only once a test message has been sent, because nothing else shows that the channel works; except for
 * the dashboard, which needs none.
 */
export function channelState({ channel, ready, tested }: Pick<Channel, "channel" | "ready" | "tested">): ChannelState {
	if (!ready) return "unready";
	if (channel === "dashboard" || tested?.ok === true) return "ready";
	if (tested === undefined) return "untested";
	return isOpen(tested) ? "unknown" : "failed";
}

/** How long a test took. A time below one second is not given in tenths, which would only show how fast this computer is. */
export function testSpan(tookMs: number): string {
	return tookMs < 1_000 ? "less than 1 s" : formatSpan(tookMs);
}

import type { Channel } from "@xworkmate/contracts";
import { formatSpan } from "./format-measure.ts";

/** True if it is unknown whether the message of a channel's last test was sent: such a test has not failed. */
export function isOpen(tested: Channel["tested"]): boolean {
	return tested?.ok === false && tested.problem?.code === "NO_ANSWER";
}

/** How long a test took. A time below one second is not given in tenths, which would only show how fast this computer is. */
export function testSpan(tookMs: number): string {
	return tookMs < 1_000 ? "less than 1 s" : formatSpan(tookMs);
}

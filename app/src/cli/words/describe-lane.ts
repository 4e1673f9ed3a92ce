import type { LanePause, LanePlace } from "../../gateway-queue/index.ts";
import { oneLine } from "../../text/printable.ts";

/** Where a waiting turn stands, in one line. */
export function describeLane({ position, length, paused }: LanePlace): string {
	const place = `waiting in the OpenClaw queue (${position} of ${length})`;
	return paused === undefined ? place : `${place}; the queue is paused: ${describePause(paused)}`;
}

function describePause({ code, message, fix }: LanePause): string {
	return `${oneLine(message, 400)} (${oneLine(code)})${fix === undefined ? "" : `. ${oneLine(fix, 400)}`}`;
}

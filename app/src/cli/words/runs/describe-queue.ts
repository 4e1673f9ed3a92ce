import type { GatewayQueuePosition, QueuePause } from "../../../api/app-api.ts";
import { oneLine } from "../../../text/printable.ts";

/** The position of a waiting turn, in one line. */
export function describeQueue({ position, length, paused }: GatewayQueuePosition): string {
	const place = `waiting in the OpenClaw queue (${position} of ${length})`;
	return paused === undefined ? place : `${place}; the queue is paused: ${describePause(paused)}`;
}

function describePause({ code, message, fix }: QueuePause): string {
	const what = oneLine(message, 400).replace(/\.$/, "");
	return `${what} (${oneLine(code)})${fix === undefined ? "" : `. ${oneLine(fix, 400)}`}`;
}

import type { QueueOfThread } from "../../../api/app-api.ts";
import { count } from "../../../strings/interface.ts";
import { commandLine } from "../../../text/command-line.ts";
import { oneLine } from "../../../text/printable.ts";

/** How many messages are queued in a thread, as a part of its line in a list. */
export function queueMark({ queued = [], queueHeld }: QueueOfThread): readonly string[] {
	if (queued.length === 0) return [];
	return [`${count(queued.length, "queued message")}${queueHeld === true ? " on hold" : ""}`];
}

/** The messages queued in a thread, and what happens to them. None of them has been sent. */
export function queueLines({ queued = [], queueHeld }: QueueOfThread): readonly string[] {
	const messages = queued.map(({ prompt }) => `  > ${oneLine(prompt, 200)}`);
	if (messages.length === 0) return [];
	const them = messages.length === 1 ? "it" : "them";
	const what = queueHeld === true ? `on hold. Send or remove ${them} on the page: ${commandLine("open")}` : "not sent yet:";
	return [`${count(messages.length, "queued message")} ${what}`, ...messages];
}

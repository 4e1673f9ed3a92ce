import type { QueueOfThread } from "../../../api/app-api.ts";
import { count } from "../../../strings/interface.ts";
import { commandLine } from "../../../text/command-line.ts";
import { oneLine } from "../../../text/printable.ts";

/** How many messages are queued in a thread, as a part of its line in a list. */
export function queueMark({ queued = [], queueHeld, removed = [] }: QueueOfThread): readonly string[] {
	const waiting = `${count(queued.length, "queued message")}${queueHeld === true ? " on hold" : ""}`;
	const restored = `${count(removed.length, "message")} removed from the queue`;
	return [...(queued.length === 0 ? [] : [waiting]), ...(removed.length === 0 ? [] : [restored])];
}

/**
 * The messages queued in a thread, none of which has been sent, and those that were removed from the queue by a restore, with what happens to
 * them.
 */
export function queueLines({ queued = [], queueHeld, removed = [] }: QueueOfThread): readonly string[] {
	const what = queueHeld === true ? `on hold. Send or remove ${them(queued)} on the page: ${commandLine("open")}` : "not sent yet:";
	const [were, they] = removed.length === 1 ? ["was", "It"] : ["were", "They"];
	const why = `${were} removed from the queue because a backup was restored. ${they} may have been sent already.`;
	return [
		...(queued.length === 0 ? [] : [`${count(queued.length, "queued message")} ${what}`, ...queued.map(messageLine)]),
		...(removed.length === 0
			? []
			: [
					`${count(removed.length, "message")} ${why}`,
					`Put ${them(removed)} back or delete ${them(removed)} on the page: ${commandLine("open")}`,
					...removed.map(messageLine),
				]),
	];
}

function them({ length }: readonly unknown[]): string {
	return length === 1 ? "it" : "them";
}

function messageLine({ prompt }: { readonly prompt: string }): string {
	return `  > ${oneLine(prompt, 200)}`;
}

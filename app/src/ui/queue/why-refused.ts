import type { QueuedMessage } from "../../api/ui-api.ts";
import { fill } from "../../strings/interface.ts";
import { queueWords } from "../../strings/threads/queue-words.ts";
import { AppRefusal, sayError } from "../connection/app-refusal.ts";

/** Why the queue's next message could not be sent; undefined if sending it was not refused. */
export function whyRefused(next: QueuedMessage | undefined): string | undefined {
	if (next?.refusal === undefined) return undefined;
	const { code, message, fix } = next.refusal;
	return fill(queueWords.notSent, { why: sayError(new AppRefusal(code, message, fix)) });
}

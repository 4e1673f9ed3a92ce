import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";

export type Message = Parameters<typeof callApp<"send">>[1];

export interface SentMessage {
	readonly threadId: string;
	/** The id of the message's turn, and of its place in the queue. */
	readonly turnId: string;
	readonly prompt: string;
	readonly isQueued?: boolean;
}

/**
 * The message that the app accepted last, until its thread has been read again. The page shows it, because the app may not respond for a
 * while after accepting it.
 */
export const sentMessage = new Store<SentMessage | undefined>(undefined);

/** Sends a message, and keeps it on the page until its thread has been read. */
export async function sendMessage(message: Message) {
	const sent = await callApp("send", message);
	sentMessage.set({ threadId: message.threadId ?? sent.threadId, turnId: sent.turnId, prompt: message.prompt });
	return sent;
}

/** Queues a message behind the thread's run, and also keeps it on the page until its thread has been read. */
export async function queueMessage(message: Parameters<typeof callApp<"queueMessage">>[1]) {
	const sent = await callApp("queueMessage", message);
	const { queuedId = sent.turnId } = sent;
	if (queuedId !== undefined)
		sentMessage.set({ threadId: message.threadId, turnId: queuedId, prompt: message.prompt, isQueued: sent.queuedId !== undefined });
	return sent;
}

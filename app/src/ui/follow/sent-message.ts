import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";

export type Message = Parameters<typeof callApp<"send">>[1];

export interface SentMessage {
	readonly threadId: string;
	readonly prompt: string;
}

/**
 * The message that the app accepted last, until its thread has been read again. After accepting it, the app may not respond for a while.
 */
export const sentMessage = new Store<SentMessage | undefined>(undefined);

/** Sends a message, and keeps it on the page until its thread has been read. */
export async function sendMessage(message: Message) {
	const sent = await callApp("send", message);
	sentMessage.set({ threadId: message.threadId ?? sent.threadId, prompt: message.prompt });
	return sent;
}

/** Queues a message behind the thread's run, and keeps it on the page in the same way. */
export async function queueMessage(message: Parameters<typeof callApp<"queueMessage">>[1]) {
	const sent = await callApp("queueMessage", message);
	sentMessage.set({ threadId: message.threadId, prompt: message.prompt });
	return sent;
}

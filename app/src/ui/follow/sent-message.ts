import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";

export type Message = Parameters<typeof callApp<"send">>[1];

export interface SentMessage {
	readonly threadId: string;
	readonly prompt: string;
}

/** The message that the app has taken last, until its thread is read again: the app may not respond for a while after it took it. */
export const sentMessage = new Store<SentMessage | undefined>(undefined);

/** Sends a message, and keeps it on the page until its thread is read. */
export async function sendMessage(message: Message) {
	const sent = await callApp("send", message);
	sentMessage.set({ threadId: message.threadId ?? sent.threadId, prompt: message.prompt });
	return sent;
}

/** The same for a message that waits for the run before it. */
export async function queueMessage(message: Parameters<typeof callApp<"queueMessage">>[1]): Promise<void> {
	await callApp("queueMessage", message);
	sentMessage.set({ threadId: message.threadId, prompt: message.prompt });
}

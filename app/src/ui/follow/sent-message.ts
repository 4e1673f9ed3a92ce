import { Store } from "../connection/store.ts";

export interface SentMessage {
	readonly threadId: string;
	readonly prompt: string;
}

/** The message that the app has taken last, until its thread is read again: the app may not respond for a while after it took it. */
export const sentMessage = new Store<SentMessage | undefined>(undefined);

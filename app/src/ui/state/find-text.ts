import { Store } from "../connection/store.ts";

/** The search inside one thread. */
export interface FindText {
	readonly threadId: string;
	readonly text: string;
	/** True if the field is to take the focus, because the user has just opened it. */
	readonly isTyped: boolean;
}

export const findText = new Store<FindText | undefined>(undefined);

/** Shows the search field in a thread. If no text is given, the field keeps the text that it contains. */
export function openFind(threadId: string, text?: string): void {
	const there = findText.value?.threadId === threadId ? findText.value.text : "";
	findText.set({ threadId, text: text ?? there, isTyped: text === undefined });
}

/** Call this when the user leaves the thread or closes the search field. */
export function closeFind(threadId: string): void {
	if (findText.value?.threadId === threadId) findText.set(undefined);
}

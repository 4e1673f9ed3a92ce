import { Store } from "../connection/store.ts";

/** What is looked for inside one thread. */
export interface FindText {
	readonly threadId: string;
	readonly text: string;
	/** The field takes the focus: the user asked for it, instead of opening a result of the search. */
	readonly isTyped: boolean;
}

export const findText = new Store<FindText | undefined>(undefined);

/** Shows the field in a thread. A text that is there stays until another is given. */
export function openFind(threadId: string, text?: string): void {
	const there = findText.value?.threadId === threadId ? findText.value.text : "";
	findText.set({ threadId, text: text ?? there, isTyped: text === undefined });
}

/** Of a thread that is left, or whose field is closed. */
export function closeFind(threadId: string): void {
	if (findText.value?.threadId === threadId) findText.set(undefined);
}

import { Store } from "../connection/store.ts";

export interface Undo {
	readonly word: string;
	undo(): void;
}

interface ToldToast {
	readonly text: string;
	/** What the message is about. A newer message about the same thing replaces this one, which is then no longer true. */
	readonly about?: string;
	readonly undo?: Undo;
}

/** Short messages that have not been shown yet, because the part of the page that shows them is loaded after the first paint. */
export const untold = new Store<readonly ToldToast[]>([]);

/** The undos of the messages that are still shown, or are yet to be shown, oldest first. Each is removed once it is used. */
export const undos = new Store<readonly Undo[]>([]);

export function say(text: string, undo?: Undo): void {
	if (undo) undos.set([...undos.value, undo]);
	untold.set([...untold.value, { text, ...(undo && { undo }) }]);
}

/** Reports the current state of something. Replaces an earlier message about the same thing, which would contradict it. */
export function sayNow(about: string, text: string): void {
	untold.set([...untold.value.filter((told) => told.about !== about), { text, about }]);
}

/** Undoes the action of one message, once. Returns false if it has been undone, or if its message is no longer shown. */
export function undoOnce(undo: Undo): boolean {
	const isOpen = undos.value.includes(undo);
	forgetUndo(undo);
	if (isOpen) undo.undo();
	return isOpen;
}

/** Call this when the message of an undo is no longer shown. */
export function forgetUndo(undo: Undo): void {
	if (undos.value.includes(undo)) undos.set(undos.value.filter((one) => one !== undo));
}

/** Undoes the action of the newest message that offers it. Returns false if none does. */
export function undoLast(): boolean {
	const last = undos.value.at(-1);
	return last !== undefined && undoOnce(last);
}

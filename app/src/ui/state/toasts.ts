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

let lastUndo: (() => void) | undefined;

export function say(text: string, undo?: Undo): void {
	lastUndo = undo?.undo;
	untold.set([...untold.value, { text, ...(undo && { undo }) }]);
}

/** Reports the current state of something. Replaces an earlier message about the same thing, which would contradict it. */
export function sayNow(about: string, text: string): void {
	lastUndo = undefined;
	untold.set([...untold.value.filter((told) => told.about !== about), { text, about }]);
}

/** Undoes the action of the newest toast, once. Returns false if there is nothing to undo. */
export function undoLast(): boolean {
	const undo = lastUndo;
	lastUndo = undefined;
	undo?.();
	return undo !== undefined;
}

import type { ThreadId } from "@xworkmate/contracts";
import { go, route } from "./route.ts";

/** The thread whose composer takes the focus as soon as it exists. */
let wished: ThreadId | undefined;

/** Puts the cursor into the message field of the open page. */
export function focusComposer(): boolean {
	const field = document.querySelector<HTMLTextAreaElement>(".dock form textarea");
	field?.focus();
	return field !== null;
}

/** Opens a thread and lets its message field take the focus; not on a touch screen, where the on-screen keyboard would cover the page. */
export function openToWrite(threadId: ThreadId): void {
	const here = route.value;
	const isHere = here.page === "thread" && here.threadId === threadId;
	const types = matchMedia("(pointer: fine)").matches;
	if (isHere && types) focusComposer();
	else if (types) wished = threadId;
	go({ page: "thread", threadId });
}

/** True for the thread that `openToWrite` has opened, but only for the first call. */
export function isComposerWished(threadId: ThreadId | undefined): boolean {
	const is = threadId !== undefined && wished === threadId;
	if (is) wished = undefined;
	return is;
}

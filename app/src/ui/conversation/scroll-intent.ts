import type { EndFollow } from "./end-follow.ts";

/** Movements shorter than this are ignored, because even a resting finger moves by a few pixels. */
const TREMBLE_PX = 4;
/** On a Mac, only Cmd+F searches the page: in a text field, Ctrl+F moves the caret. */
const MAC = /Mac OS X/;
const UP_KEYS: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home"]);

/** Tells `end` how the user moves the box: by wheel, touch, keys, scroll bar or focus, or by opening something in it. */
export function watchIntent(box: HTMLElement, end: EndFollow): () => void {
	const abort = new AbortController();
	const on = { signal: abort.signal, passive: true } as const;
	const leave = (target: EventTarget | null) => {
		if (!isTakenWithin(target, box)) end.leave(box.scrollTop);
	};
	box.addEventListener(
		"wheel",
		(event) => {
			// With Ctrl, the wheel zooms; with Shift, it scrolls sideways.
			if (event.deltaY < 0 && !event.ctrlKey && !event.shiftKey) leave(event.target);
		},
		on,
	);
	let touchedAt: number | undefined;
	const touch = ({ touches }: TouchEvent) => {
		touchedAt = touches.length === 1 ? touches[0]?.clientY : undefined;
	};
	box.addEventListener("touchstart", touch, on);
	box.addEventListener(
		"touchmove",
		(event) => {
			const y = event.touches[0]?.clientY;
			if (touchedAt !== undefined && y !== undefined && y > touchedAt + TREMBLE_PX) leave(event.target);
		},
		on,
	);
	addEventListener(
		"keydown",
		(event) => {
			end.hold(false);
			// A user who searches the page wants the box to stay where it is.
			if (isSearch(event)) end.leave(box.scrollTop);
			else if (isUpKey(event) && isForBox(event.target, box)) leave(event.target);
		},
		on,
	);
	box.addEventListener("pointerdown", ({ pointerType }) => pointerType === "mouse" && end.hold(true), on);
	for (const type of ["pointerup", "pointercancel"] as const) addEventListener(type, () => end.hold(false), on);
	// A movement without a button pressed counts as a release too, because releasing a scroll bar may cause no event.
	addEventListener("pointermove", ({ buttons }) => buttons === 0 && end.hold(false), on);
	box.addEventListener(
		"click",
		({ target, timeStamp }) => target instanceof Element && target.closest("summary, [aria-expanded]") !== null && end.open(timeStamp),
		on,
	);
	box.addEventListener(
		"focusin",
		({ target }) => {
			// The focused element has to stay visible when more content arrives below it.
			if (target instanceof HTMLElement && target !== box && isAbove(target, box)) end.leave(box.scrollTop);
		},
		on,
	);
	return () => abort.abort();
}

function isUpKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
	if (key === " ") return shiftKey;
	// On a Mac, Cmd+Up scrolls to the beginning.
	return !altKey && !ctrlKey && UP_KEYS.has(key) && (!metaKey || key === "ArrowUp");
}

function isSearch({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
	return key === "F3" || ((MAC.test(navigator.userAgent) ? metaKey : ctrlKey) && key.toLowerCase() === "f");
}

/**
 * True if a key scrolls the box. Keys go to the focused element; if nothing has the focus, the browser scrolls the box that was last
 * clicked.
 */
function isForBox(target: EventTarget | null, box: HTMLElement): boolean {
	if (!(target instanceof HTMLElement) || target.matches("input, textarea, select, [contenteditable]")) return false;
	return target === document.body || box.contains(target);
}

/** True if the movement scrolls an element within the box instead. */
function isTakenWithin(target: EventTarget | null, box: HTMLElement): boolean {
	for (let inner = target instanceof Element ? target : null; inner !== null && inner !== box; inner = inner.parentElement)
		if (inner.scrollTop > 0 && /auto|scroll/.test(getComputedStyle(inner).overflowY)) return true;
	return false;
}

/** True if no part of the element would be visible when the box is at its end. */
function isAbove(target: HTMLElement, box: HTMLElement): boolean {
	const toEnd = box.scrollHeight - box.scrollTop - box.clientHeight;
	return target.getBoundingClientRect().bottom - toEnd < box.getBoundingClientRect().top;
}

import { useEffect } from "react";
import { focusComposer } from "./state/composer-focus.ts";
import { noteMoved } from "./state/moved-focus.ts";

const REMEMBERED = 12;

/** An element that had the focus, and the page that was open at that time. */
interface Place {
	readonly element: HTMLElement;
	readonly main: Element | null;
	readonly wasRequest: boolean;
}

/**
 * Preserves the keyboard focus. When the focused element is removed or hidden, a browser moves the focus to the body, and Tab starts at the
 * top. Instead, the focus moves from an answered request to the first open one or to the message field, back to its previous place on the
 * same page, or to the page itself.
 */
export function useFocusKeeper(): void {
	useEffect(() => {
		let places: readonly Place[] = [];
		let frame = 0;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const onFocusIn = ({ target }: FocusEvent) => {
			if (!(target instanceof HTMLElement)) return;
			const place = { element: target, main: document.querySelector("main"), wasRequest: target.closest("[data-approval]") !== null };
			places = [place, ...places.filter(({ element }) => element !== target)].slice(0, REMEMBERED);
		};
		// If the user moved the focus away by clicking on something that cannot be focused, there is nothing to restore.
		const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
			if (relatedTarget !== null || !(target instanceof HTMLElement)) return;
			queueMicrotask(() => {
				if (isUsable(target) && document.hasFocus()) places = [];
			});
		};
		const check = (isHeld: (element: Element) => boolean) => {
			const active = document.activeElement;
			if (active !== null && active !== document.body && isHeld(active)) return;
			const [lost, ...before] = places;
			if (lost === undefined || isUsable(lost.element)) return;
			keep(lost, before);
		};
		// Streamed text changes the page many times a second, and finding out whether an element is visible forces a layout. So a change is
		// checked immediately without the layout, and again in a task after the next frame, which has computed the layout anyway and has taken
		// the focus from hidden elements.
		const checkSoon = () => {
			check(isEnabled);
			if (frame !== 0) return;
			frame = requestAnimationFrame(() => {
				frame = 0;
				timer = setTimeout(() => check(isUsable));
			});
		};
		const observer = new MutationObserver(checkSoon);
		observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "data-pane"] });
		addEventListener("focusin", onFocusIn);
		addEventListener("focusout", onFocusOut);
		return () => {
			observer.disconnect();
			cancelAnimationFrame(frame);
			clearTimeout(timer);
			removeEventListener("focusin", onFocusIn);
			removeEventListener("focusout", onFocusOut);
		};
	}, []);
}

function keep({ main, wasRequest }: Place, before: readonly Place[]): void {
	const isSamePage = main?.isConnected === true;
	if (wasRequest && isSamePage) {
		const next = document.querySelector<HTMLElement>("[data-approval]");
		if (next !== null) {
			next.focus();
			noteMoved(next);
			return;
		}
		if (focusComposer()) return;
	}
	const last = isSamePage ? before.find(({ element }) => isUsable(element)) : undefined;
	(last?.element ?? document.querySelector<HTMLElement>("main"))?.focus({ preventScroll: true });
}

function isEnabled(element: Element): boolean {
	return element.isConnected && !element.matches(":disabled");
}

function isUsable(element: Element): boolean {
	return isEnabled(element) && (!("checkVisibility" in element) || element.checkVisibility());
}

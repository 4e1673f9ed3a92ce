import type { KeyboardEvent } from "react";

/** Goes to the previous or next file; undefined if there is no such file. */
type Step = (() => void) | undefined;

/** The left and right arrow keys go from file to file, unless the focused element uses them itself. */
export function arrowSteps(previous: Step, next: Step): (event: KeyboardEvent) => void {
	return (event) => {
		const step = event.key === "ArrowRight" ? next : event.key === "ArrowLeft" ? previous : undefined;
		if (step === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		if (event.target instanceof Element && usesArrows(event.target, event.currentTarget)) return;
		event.preventDefault();
		step();
	};
}

/** True for an element that uses the arrow keys itself: a player, a field, or an element that scrolls horizontally. */
function usesArrows(target: Element, within: Element): boolean {
	if (target.matches("audio, video, input, textarea, select")) return true;
	for (let at: Element | null = target; at !== null && at !== within; at = at.parentElement) {
		if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
	}
	return false;
}

/** How much is visible above a request, in CSS pixels. */
const ABOVE_PX = 8;

/** Finds requests for approval that are taller than the box they are in: at the box's end, only their answers would be visible. */
export class TallRequests {
	/** Each request is shown from its beginning at most once, because the user may then scroll to its answers. */
	readonly #shown = new Set<string>();

	/** The scroll position that shows the newest open request from its beginning. Undefined if it fits into the box, or was shown before. */
	beginningOf(box: HTMLElement): number | undefined {
		const card = newestIn(box);
		const id = card?.dataset.approval;
		if (id === undefined || card === undefined || this.#shown.has(id)) return undefined;
		const { top, height } = card.getBoundingClientRect();
		if (height <= box.clientHeight) return undefined;
		this.#shown.add(id);
		return Math.max(0, box.scrollTop + top - box.getBoundingClientRect().top - ABOVE_PX);
	}

	/** Call this when the user has scrolled past the newest open request, so that the box does not move back to its beginning. */
	passed(box: HTMLElement): void {
		const id = newestIn(box)?.dataset.approval;
		if (id !== undefined) this.#shown.add(id);
	}
}

function newestIn(box: HTMLElement): HTMLElement | undefined {
	return [...box.querySelectorAll<HTMLElement>("[data-approval]")].at(-1);
}

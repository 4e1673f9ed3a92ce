const ALL = "find-hits";
const CURRENT = "find-current";

/**
 * Marks the matches without touching the page's elements, which React owns. In a browser that does not support this, the current match is
 * selected.
 */
export function markHits(hits: readonly Range[], current: Range | undefined): void {
	const highlights = typeof CSS === "undefined" ? undefined : CSS.highlights;
	if (highlights === undefined) {
		if (current !== undefined) getSelection()?.setBaseAndExtent(...ends(current));
		return;
	}
	highlights.delete(ALL);
	highlights.delete(CURRENT);
	if (hits.length > 0) highlights.set(ALL, new Highlight(...hits));
	if (current !== undefined) highlights.set(CURRENT, new Highlight(current));
}

function ends({ startContainer, startOffset, endContainer, endOffset }: Range): [Node, number, Node, number] {
	return [startContainer, startOffset, endContainer, endOffset];
}

/** Opens the folded rows that contain a match, and returns the rows that were closed before. */
export function openFolds(hit: Range): readonly HTMLDetailsElement[] {
	const opened: HTMLDetailsElement[] = [];
	for (let at = hit.startContainer.parentElement; at !== null; at = at.parentElement) {
		if (!(at instanceof HTMLDetailsElement) || at.open || isInSummary(at, hit)) continue;
		at.open = true;
		opened.push(at);
	}
	return opened;
}

function isInSummary(row: HTMLDetailsElement, hit: Range): boolean {
	return row.querySelector(":scope > summary")?.contains(hit.startContainer) === true;
}

/** Where in the box a match is placed: above the middle, so that what follows is visible too. */
const PLACE = 1 / 3;

/**
 * Scrolls a box to a match. Content that had not been laid out yet may turn out to have a different height, so the box is scrolled twice.
 */
export function showHit(box: HTMLElement, hit: Range): void {
	const put = () => {
		const top = hit.getBoundingClientRect().top - box.getBoundingClientRect().top;
		box.scrollTop += top - box.clientHeight * PLACE;
	};
	hit.startContainer.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest" });
	put();
	requestAnimationFrame(put);
}

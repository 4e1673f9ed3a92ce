const ALL = "find-hits";
const CURRENT = "find-current";

/**
 * Marks places without touching the page's elements, which React owns. A browser that can't gets the current place selected.
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

/** Above the middle, so that what follows is visible too. */
const PLACE = 1 / 3;

/** Scrolls a box to a place. What was not laid out yet has another height than expected, so the place is looked for twice. */
export function showHit(box: HTMLElement, hit: Range): void {
	const put = () => {
		const top = hit.getBoundingClientRect().top - box.getBoundingClientRect().top;
		box.scrollTop += top - box.clientHeight * PLACE;
	};
	hit.startContainer.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest" });
	put();
	requestAnimationFrame(put);
}

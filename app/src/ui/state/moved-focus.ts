/** How long a request that the focus was moved to has to be visible before a letter answers it. */
const LOOK_MS = 500;
let moved: { readonly to: Element; readonly at: number } | undefined;

/** Records that the page, and not the user, moved the focus to this request. */
export function noteMoved(to: Element): void {
	moved = { to, at: performance.now() };
}

/** True if the page has just moved the focus to this request: a key that is pressed now may be meant for the request before it. */
export function isJustMoved(request: Element): boolean {
	return moved?.to === request && performance.now() - moved.at < LOOK_MS;
}

/** The layout of a scrolling box, in CSS pixels. */
export interface ScrollSizes {
	readonly top: number;
	/** The height of its content. */
	readonly height: number;
	/** The height of its visible part. */
	readonly seen: number;
}

/** A position closer to the end than this is treated as the end. */
const NEAR_PX = 48;
/** How long after a click the opened content may keep growing, in milliseconds. */
const OPENING_MS = 1_000;
/** Differences up to this are ignored, because positions on a scaled screen are fractions of a pixel. */
const SAME_PX = 1;

/**
 * Decides whether a box stays at its end. The decision depends on what the user does, not on a measured gap: a scroll event also occurs
 * when the layout moves the box, and by then more text may have arrived, so the gap does not show whether the user moved the box.
 */
export class EndFollow {
	#follows = true;
	#held = false;
	#openedAt = Number.NEGATIVE_INFINITY;
	#before: ScrollSizes = { top: 0, height: 0, seen: 0 };

	get follows(): boolean {
		return this.#follows;
	}

	/** Call this when the user asks to see the end, by sending a message or pressing the button. */
	toEnd(): void {
		this.#follows = true;
		this.#openedAt = Number.NEGATIVE_INFINITY;
	}

	/** Call this when the user moves away from the end (by wheel, touch, key or focus), or when the page moves them. */
	leave(top: number): void {
		if (top > 0) this.#follows = false;
	}

	/**
	 * Call this when the mouse button is pressed or released in the box, because the user may be dragging the scroll bar, or a selection
	 * beyond the edge.
	 */
	hold(isHeld: boolean): void {
		this.#held = isHeld;
	}

	/**
	 * Call this when the user opens something, with the time in milliseconds. If a row at the end then grows beyond the box, the user reads
	 * it from its beginning, so the box is not moved.
	 */
	open(at: number): void {
		this.#openedAt = at;
	}

	/** Call this after a scroll event. Returns true if the box has to be moved back to its end. */
	scrolled(now: ScrollSizes): boolean {
		const before = this.#before;
		this.#before = now;
		const isUp = now.top < before.top - SAME_PX;
		if (!this.#follows) {
			this.#follows = !isUp && gapOf(now) < NEAR_PX;
			return false;
		}
		// The layout moves a box up only when its sizes change. If they are unchanged, the user moved the box, possibly without any input event
		// that the page receives, such as with the browser's own search.
		const isSameLayout = now.height === before.height && now.seen === before.seen;
		if (isUp && gapOf(now) > SAME_PX && (this.#held || isSameLayout)) this.#follows = false;
		return this.#isPut(now);
	}

	/** Call this when the box or its content has changed size. Returns true if the box has to be moved to its end. */
	resized(now: ScrollSizes, at: number): boolean {
		this.#before = now;
		// If its end is visible, a box is treated as being at its end, however it was scrolled there.
		if (gapOf(now) <= SAME_PX) this.#follows = true;
		// A row's frame grows when the row opens, but its content is created only after that.
		if (at - this.#openedAt < OPENING_MS && gapOf(now) >= NEAR_PX) this.#follows = false;
		return this.#isPut(now);
	}

	#isPut(now: ScrollSizes): boolean {
		if (!this.#follows || gapOf(now) <= SAME_PX) return false;
		this.#before = { ...now, top: now.height - now.seen };
		return true;
	}
}

function gapOf({ top, height, seen }: ScrollSizes): number {
	return height - top - seen;
}

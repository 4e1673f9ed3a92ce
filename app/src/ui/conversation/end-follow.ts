/** How a box that scrolls is laid out, in CSS pixels. */
export interface ScrollSizes {
	readonly top: number;
	/** Of what is in it. */
	readonly height: number;
	/** Of what is seen of it. */
	readonly seen: number;
}

/** Nearer than this to the end is at the end. */
const NEAR_PX = 48;
/** How long after a press what it opened may still grow. */
const OPENING_MS = 1_000;
/** Positions are fractions of a pixel where the screen is scaled. */
const SAME_PX = 1;

/**
 * Whether a box stays at its end. The user's intent decides, not a measured gap: a scroll event also comes when the
 * layout moves the box, and by then more text may have come, so the gap says nothing about who moved it.
 */
export class EndFollow {
	#follows = true;
	#held = false;
	#openedAt = Number.NEGATIVE_INFINITY;
	#before: ScrollSizes = { top: 0, height: 0, seen: 0 };

	get follows(): boolean {
		return this.#follows;
	}

	/** The user asked for the end: sent a message, or pressed the button. */
	toEnd(): void {
		this.#follows = true;
		this.#openedAt = Number.NEGATIVE_INFINITY;
	}

	/** A wheel, a finger or a key moves away from the end. */
	leave(top: number): void {
		if (top > 0) this.#follows = false;
	}

	/** The mouse is down in the box: it may drag the scroll bar, or a selection beyond the edge. */
	hold(isHeld: boolean): void {
		this.#held = isHeld;
	}

	/** The user opens something, at a time in milliseconds: a row at the end that grows beyond the box is read from its beginning. */
	open(at: number): void {
		this.#openedAt = at;
	}

	/** After a scroll event. True when the box has to be put back to its end. */
	scrolled(now: ScrollSizes): boolean {
		const before = this.#before;
		this.#before = now;
		const isUp = now.top < before.top - SAME_PX;
		if (!this.#follows) {
			this.#follows = !isUp && gapOf(now) < NEAR_PX;
			return false;
		}
		// The layout moves a box up only when its sizes change. With the same sizes someone moved it, also without
		// an input that the page hears of, as the browser's own search does.
		const isSameLayout = now.height === before.height && now.seen === before.seen;
		if (isUp && gapOf(now) > SAME_PX && (this.#held || isSameLayout)) this.#follows = false;
		return this.#isPut(now);
	}

	/** After the box or what is in it changed its size. True when the box has to be put to its end. */
	resized(now: ScrollSizes, at: number): boolean {
		this.#before = now;
		// A box that shows its end counts as being at the end, however it was scrolled there.
		if (gapOf(now) <= SAME_PX) this.#follows = true;
		// What a row holds is made after it opened: its frame grows first.
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

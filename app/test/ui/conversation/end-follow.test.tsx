import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { EndFollow } from "../../../src/ui/conversation/end-follow.ts";

/** A box as a browser lays it out: it can be no further down than its end, and tells about a scroll before it tells about sizes. */
class Box {
	readonly end = new EndFollow();
	top = 0;
	height = 400;
	seen = 400;

	lay(height: number, seen: number): void {
		this.height = height;
		this.seen = seen;
		this.top = Math.min(this.top, Math.max(0, height - seen));
	}

	moveBy(pixels: number): void {
		this.top = Math.max(0, Math.min(this.top + pixels, this.height - this.seen));
	}

	tellScroll(): void {
		if (this.end.scrolled(this)) this.top = this.height - this.seen;
	}

	tellSizes(at = 10_000): void {
		if (this.end.resized(this, at)) this.top = Math.max(0, this.height - this.seen);
	}

	get gap(): number {
		return this.height - this.top - this.seen;
	}
}

let box: Box;
beforeEach(() => {
	box = new Box();
	box.lay(2000, 500);
	box.tellSizes();
});

describe("[D1] a conversation at its end", () => {
	it("stays there when the dock shrinks and the answer grows before the browser tells of either", () => {
		box.lay(2000, 560);
		box.lay(2600, 560);
		box.tellScroll();
		expect(box.gap).toBe(0);
		box.tellSizes();
		expect([box.end.follows, box.gap]).toEqual([true, 0]);
	});

	it("is there again when a larger window shows all of it", () => {
		box.end.leave(box.top);
		box.moveBy(-300);
		box.tellScroll();
		expect(box.end.follows).toBe(false);
		box.lay(2000, 2400);
		box.tellSizes();
		expect(box.end.follows).toBe(true);
	});

	it("stays there whatever the layout does, in whatever order the browser tells of it", () => {
		const layout = fc.record({
			// No two sizes are the same: a box that has the sizes of before was moved by someone.
			height: fc.integer({ min: 600, max: 9000 }),
			seen: fc.integer({ min: 100, max: 590 }),
			tells: fc.constantFrom("scroll", "sizes", "both", "nothing"),
		});
		fc.assert(
			fc.property(fc.uniqueArray(layout, { selector: ({ height }) => height, maxLength: 30 }), (layouts) => {
				const moved = new Box();
				moved.tellSizes();
				for (const { height, seen, tells } of layouts) {
					moved.lay(height, seen);
					if (tells === "scroll" || tells === "both") moved.tellScroll();
					if (tells === "sizes" || tells === "both") moved.tellSizes();
				}
				moved.tellScroll();
				moved.tellSizes();
				// A pixel is no distance: on a scaled screen, positions are fractions of one.
				expect([moved.end.follows, moved.gap <= 1]).toEqual([true, true]);
			}),
		);
	});

	it("is left by a wheel, a finger or a key that moves up, and the answer that comes meanwhile pulls nobody down", () => {
		box.end.leave(box.top);
		box.moveBy(-10);
		box.lay(2300, 500);
		box.tellScroll();
		box.tellSizes();
		expect([box.end.follows, box.top]).toEqual([false, 1490]);
	});

	it("is left by the scroll bar, also while an answer streams in", () => {
		box.end.hold(true);
		box.moveBy(-200);
		box.lay(2050, 500);
		box.tellScroll();
		box.tellSizes();
		expect([box.end.follows, box.top]).toEqual([false, 1300]);
	});

	it("is left when something moves the box that the page hears nothing of, as the browser's search", () => {
		box.moveBy(-600);
		box.tellScroll();
		expect([box.end.follows, box.top]).toEqual([false, 900]);
	});

	it("is not left by a wheel where there is nothing above", () => {
		const short = new Box();
		short.end.leave(short.top);
		short.lay(900, 400);
		short.tellSizes();
		expect(short.gap).toBe(0);
	});

	it("is there again once the user scrolls down to it, or asks for it", () => {
		box.end.leave(box.top);
		box.moveBy(-600);
		box.tellScroll();
		box.moveBy(400);
		box.tellScroll();
		expect(box.end.follows).toBe(false);
		box.moveBy(180);
		box.tellScroll();
		expect(box.end.follows).toBe(true);
		box.end.leave(box.top);
		box.moveBy(-600);
		box.tellScroll();
		box.end.toEnd();
		box.lay(2400, 500);
		box.tellSizes();
		expect(box.gap).toBe(0);
	});

	it("keeps the beginning of what is opened there in sight, and follows on when all of it fits", () => {
		box.end.open(20_000);
		box.lay(2020, 500);
		box.tellSizes(20_010);
		expect([box.end.follows, box.gap]).toEqual([true, 0]);
		box.lay(2600, 500);
		box.tellSizes(20_100);
		expect([box.end.follows, box.top]).toEqual([false, 1520]);
	});
});

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useStickToBottom } from "../../../src/ui/conversation/stick-to-bottom.ts";

/** Tells the page about the sizes, as a browser does after each layout. */
let tellSizes = () => {};
beforeEach(() => {
	class Observer {
		constructor(tell: () => void) {
			tellSizes = tell;
		}
		observe() {}
		disconnect() {}
	}
	vi.stubGlobal("ResizeObserver", Observer);
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

function Thread({ request }: { readonly request?: string }) {
	const { scroll, content, onScroll, toEnd } = useStickToBottom(true);
	return (
		<>
			<section aria-label="Box" ref={scroll} onScroll={onScroll}>
				<div ref={content}>{request !== undefined && <article data-approval={request} />}</div>
			</section>
			<button type="button" onClick={toEnd}>
				New below
			</button>
		</>
	);
}

const SEEN = 500;
const box = () => screen.getByRole("region", { name: "Box" });

let top = 0;

/** Lays the box out: a request of this height is the last thing in a content of this height. */
function lay(height: number, request: number): void {
	Object.defineProperties(box(), {
		clientHeight: { value: SEEN, configurable: true },
		scrollHeight: { value: height, configurable: true },
		// A box can be no further down than its end.
		scrollTop: { get: () => top, set: (to: number) => (top = Math.min(to, height - SEEN)), configurable: true },
	});
	const card = screen.queryByRole("article");
	if (card !== null) card.getBoundingClientRect = () => new DOMRect(0, height - request - box().scrollTop, 300, request);
	act(tellSizes);
}

it("a new request that is taller than the box is shown from its beginning, once, and a smaller one with its end", () => {
	const { rerender } = render(<Thread />);
	lay(2000, 0);
	expect(box().scrollTop).toBe(1500);
	rerender(<Thread request="small" />);
	lay(2300, 300);
	expect(box().scrollTop).toBe(1800);
	rerender(<Thread request="tall" />);
	lay(3200, 1200);
	expect(box().scrollTop).toBe(1992);
	lay(3230, 1200);
	expect(box().scrollTop).toBe(1992);
	// The user scrolls to the answers, and something there grows.
	box().scrollTop = 3230 - SEEN;
	act(tellSizes);
	lay(3260, 1200);
	expect(box().scrollTop).toBe(2760);
});

/** A tall request arrives while the user reads further up. */
function readAbove(): void {
	const { rerender } = render(<Thread />);
	lay(2000, 0);
	box().scrollTop = 300;
	fireEvent.scroll(box());
	rerender(<Thread request="tall" />);
	lay(3200, 1200);
	expect(box().scrollTop).toBe(300);
}

it("the way down to a tall request leads to its beginning", () => {
	readAbove();
	fireEvent.click(screen.getByRole("button", { name: "New below" }));
	expect(box().scrollTop).toBe(1992);
});

it("who has scrolled down to the answers of a tall request stays there", () => {
	readAbove();
	box().scrollTop = 3200 - SEEN;
	fireEvent.scroll(box());
	lay(3230, 1200);
	expect(box().scrollTop).toBe(3230 - SEEN);
});

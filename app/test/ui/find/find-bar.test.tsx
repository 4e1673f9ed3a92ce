import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useStore } from "../../../src/ui/connection/store.ts";
import { FindBar } from "../../../src/ui/find/find-bar.tsx";
import { closeFind, findText, openFind } from "../../../src/ui/state/find-text.ts";
import { InApp } from "../in-app.tsx";

const marked = new Map<string, readonly Range[]>();
beforeEach(() => {
	marked.clear();
	vi.stubGlobal("CSS", { highlights: marked });
	vi.stubGlobal(
		"Highlight",
		class {
			constructor(...ranges: Range[]) {
				// biome-ignore lint/correctness/noConstructorReturn: stands in for the browser's own set
				return ranges;
			}
		},
	);
});
afterEach(() => {
	cleanup();
	act(() => findText.set(undefined));
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

let left = 0;
const leaveEnd = () => {
	left += 1;
};
function Box({ texts, isAllRead = true }: { readonly texts: readonly string[]; readonly isAllRead?: boolean }) {
	const scroll = useRef<HTMLDivElement>(null);
	const find = useStore(findText);
	return (
		<>
			<button type="button">before</button>
			{find !== undefined && <FindBar find={find} isAllRead={isAllRead} scroll={scroll} leaveEnd={leaveEnd} />}
			<div ref={scroll}>
				{texts.map((text) => (
					<article className="turn" key={text}>
						<div className="md">{text}</div>
					</article>
				))}
			</div>
		</>
	);
}

const show = (texts: readonly string[]) => {
	const here = new InApp();
	const { rerender } = render(<Box texts={texts} />, { wrapper: here.wrapper });
	return { here, become: (next: readonly string[]) => rerender(<Box texts={next} />) };
};
const field = () => screen.getByRole("searchbox", { name: "Find in this thread" });
const current = () => marked.get("find-current")?.map(String).join();
const place = () => document.querySelector(".find-count")?.textContent;
const press = (key: string, more = {}) => fireEvent.keyDown(field(), { key, ...more });

describe("the field that looks for a text in the open thread", () => {
	it("announces the result once it has settled, and nothing on the way to it", () => {
		vi.useFakeTimers();
		const { here } = show(["one car", "two Cars"]);
		act(() => openFind("t", ""));
		fireEvent.change(field(), { target: { value: "x" } });
		act(() => vi.advanceTimersByTime(300));
		fireEvent.change(field(), { target: { value: "c" } });
		act(() => vi.advanceTimersByTime(300));
		fireEvent.change(field(), { target: { value: "car" } });
		expect(here.said).toEqual([]);
		act(() => vi.advanceTimersByTime(1_000));
		expect(here.said).toEqual(["2 of 2"]);
		fireEvent.change(field(), { target: { value: "cart" } });
		act(() => vi.advanceTimersByTime(1_000));
		expect(here.said).toEqual(["2 of 2", "No results"]);
	});

	it("shows the newest place first, then the next and the one before, around the ends", () => {
		left = 0;
		show(["one car", "two Cars", "no more cär"]);
		act(() => openFind("t", "car"));
		expect([place(), current(), marked.get("find-hits")?.length]).toEqual(["3 of 3", "cär", 3]);
		expect(left).toBeGreaterThan(0);
		press("Enter");
		expect([place(), current()]).toEqual(["1 of 3", "car"]);
		press("Enter", { shiftKey: true });
		expect(place()).toBe("3 of 3");
		fireEvent.click(screen.getByRole("button", { name: "Previous result" }));
		expect([place(), current()]).toEqual(["2 of 3", "Car"]);
	});

	it("says that there is none, marks nothing, and has nothing to press", () => {
		show(["one"]);
		act(() => openFind("t", "zebra"));
		expect([place(), marked.size]).toEqual(["No results", 0]);
		expect(screen.getByRole<HTMLButtonElement>("button", { name: "Next result" }).disabled).toBe(true);
		press("Enter");
		expect(place()).toBe("No results");
	});

	it("gives no result as the last one until all that was read is rendered and searched", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		const { rerender } = render(<Box texts={["a tree"]} isAllRead={false} />, { wrapper: new InApp().wrapper });
		act(() => openFind("t", "car"));
		act(() => vi.advanceTimersByTime(1_000));
		expect(place()).toBe("Searching…");
		await act(async () => rerender(<Box texts={["a tree", "the car"]} isAllRead />));
		expect(place()).toBe("Searching…");
		act(() => vi.advanceTimersByTime(1_000));
		expect(place()).toBe("1 of 1");
		rerender(<Box texts={["a tree", "the car"]} isAllRead={false} />);
		expect(place()).toBe("1 of 1 so far");
	});

	it("says that there is none although the page keeps changing while an agent works", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		const { rerender } = render(<Box texts={["a tree"]} isAllRead={false} />, { wrapper: new InApp().wrapper });
		act(() => openFind("t", "car"));
		for (let word = 0; word < 30; word++) {
			await act(async () => rerender(<Box texts={["a tree", `${word}`]} isAllRead />));
			act(() => vi.advanceTimersByTime(100));
			if (word === 10) expect(place()).toBe("Searching…");
		}
		expect(place()).toBe("No results");
	});

	it("counts what arrives meanwhile, and stays at its place", async () => {
		const { become } = show(["a car", "the car"]);
		act(() => openFind("t", "car"));
		press("Enter");
		become(["a car", "the car", "last car"]);
		expect(await screen.findByText("1 of 3")).toBeTruthy();
		expect(current()).toBe("car");
	});

	it("takes the focus when it is asked for, and gives it back; a result of the search leaves it where it is", () => {
		show(["a car"]);
		const before = screen.getByRole("button", { name: "before" });
		before.focus();
		act(() => openFind("t", "car"));
		expect(document.activeElement).toBe(before);
		act(() => openFind("t"));
		expect(document.activeElement).toBe(field());
		expect((field() as HTMLInputElement).value).toBe("car");
		press("Escape");
		expect([findText.value, document.activeElement, marked.size]).toEqual([undefined, before, 0]);
	});

	it("of another thread is not closed by this one", () => {
		openFind("other", "x");
		closeFind("t");
		expect(findText.value?.threadId).toBe("other");
	});
});

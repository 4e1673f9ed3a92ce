import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { useFocusKeeper } from "../../src/ui/focus-keeper.ts";
import { until } from "../support/until.ts";

afterEach(cleanup);

function Page({ lines, hasButton = true }: { readonly lines: number; readonly hasButton?: boolean }) {
	useFocusKeeper();
	return (
		<main tabIndex={-1}>
			<input aria-label="message" />
			{hasButton && <button type="button">Stop</button>}
			{Array.from({ length: lines }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever appended
				<p key={index}>line {index}</p>
			))}
		</main>
	);
}

/** Counts how often the element's visibility is asked for, which computes the layout of the page. */
function countLayouts(element: HTMLElement, isVisible: () => boolean): () => number {
	let asked = 0;
	element.checkVisibility = () => {
		asked += 1;
		return isVisible();
	};
	return () => asked;
}

describe("the keyboard's place on the page", () => {
	it("is checked without a layout while text streams in: at most once a frame", async () => {
		let frames = 0;
		const count = () => {
			frames += 1;
			requestAnimationFrame(count);
		};
		requestAnimationFrame(count);
		const { rerender } = render(<Page lines={0} />);
		const field = screen.getByLabelText("message");
		const layouts = countLayouts(field, () => true);
		field.focus();
		const before = frames;
		for (let lines = 1; lines <= 200; lines++) {
			rerender(<Page lines={lines} />);
			await Promise.resolve();
		}
		expect(layouts()).toBeLessThanOrEqual(frames - before + 1);
		await until("the frame after it is checked", () => layouts() > 0);
		expect(document.activeElement).toBe(field);
	});

	it("moves to its last place when what has it is hidden", async () => {
		render(<Page lines={1} />);
		const field = screen.getByLabelText("message");
		const button = screen.getByRole("button");
		let isVisible = true;
		countLayouts(button, () => isVisible);
		field.focus();
		button.focus();
		isVisible = false;
		button.parentElement?.append(document.createElement("p"));
		await until("the field has it", () => document.activeElement === field);
	});

	it("moves at once when what has it is removed", async () => {
		const { rerender } = render(<Page lines={1} />);
		screen.getByLabelText("message").focus();
		screen.getByRole("button").focus();
		await act(async () => rerender(<Page lines={1} hasButton={false} />));
		expect(document.activeElement).toBe(screen.getByLabelText("message"));
	});
});

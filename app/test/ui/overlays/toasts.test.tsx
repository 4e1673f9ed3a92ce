import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Toasts } from "../../../src/ui/overlays/toasts.tsx";
import { say, untold } from "../../../src/ui/state/toasts.ts";

afterEach(cleanup);

describe("a short message", () => {
	it("that was said before its part of the page was loaded is shown once that is loaded, and once only", async () => {
		say("Archived “The site”");
		const { rerender } = render(<Toasts />);
		expect(await screen.findAllByText("Archived “The site”")).toHaveLength(1);
		rerender(<Toasts />);
		expect(await screen.findAllByText("Archived “The site”")).toHaveLength(1);
		expect(untold.value).toEqual([]);
	});

	it("can be undone once", async () => {
		let undone = 0;
		render(<Toasts />);
		say("Archived", {
			word: "Undo",
			undo: () => {
				undone += 1;
			},
		});
		fireEvent.click(await screen.findByRole("button", { name: /Undo/ }));
		expect(undone).toBe(1);
	});
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Toasts } from "../../../src/ui/overlays/toasts.tsx";
import { say, sayNow, undoLast, undos, untold } from "../../../src/ui/state/toasts.ts";

afterEach(() => {
	cleanup();
	undos.set([]);
});

describe("a short message", () => {
	it("that was said before its part of the page was loaded is shown once that is loaded, and once only", async () => {
		say("Archived “The site”");
		const { rerender } = render(<Toasts />);
		expect(await screen.findAllByText("Archived “The site”")).toHaveLength(1);
		rerender(<Toasts />);
		expect(await screen.findAllByText("Archived “The site”")).toHaveLength(1);
		expect(untold.value).toEqual([]);
	});

	it("is placed in the grid of the page, so that it is over the main part and not over the list", async () => {
		const app = document.createElement("div");
		app.id = "app";
		document.body.append(app);
		render(<Toasts />);
		act(() => say("Archived “The site”"));
		expect((await screen.findByText("Archived “The site”")).closest(".toast-area")?.parentElement).toBe(app);
		cleanup();
		app.remove();
	});

	it("that says how something is now replaces the earlier one about the same thing, and no other", async () => {
		render(<Toasts />);
		act(() => say("Archived “The site”"));
		act(() => sayNow("thread1", "1 of 5 files was not saved in the folder."));
		expect(await screen.findByText("1 of 5 files was not saved in the folder.")).toBeTruthy();
		act(() => sayNow("thread1", "No files are missing from the folder now."));
		expect(await screen.findByText("No files are missing from the folder now.")).toBeTruthy();
		await waitFor(() => expect(screen.queryByText("1 of 5 files was not saved in the folder.")).toBeNull());
		expect(screen.queryByText("Archived “The site”")).not.toBeNull();
	});

	it("that is beyond the limit, where its Undo can't be used, is not shown", async () => {
		const style = document.createElement("style");
		style.textContent = readFileSync(join(import.meta.dirname, "../../../src/ui/styles/popover.css"), "utf8");
		document.head.append(style);
		render(<Toasts />);
		act(() => {
			for (const name of ["one", "two", "three", "four"]) say(name);
		});
		const shownAs = (name: string) => getComputedStyle(screen.getByText(name).closest(".toast") ?? document.body).display;
		await waitFor(() => expect(shownAs("one")).toBe("none"));
		expect(["two", "three", "four"].map(shownAs)).toEqual(["flex", "flex", "flex"]);
		style.remove();
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

	it("has an Undo of its own, and the keys undo the newest that is still shown", async () => {
		const undone: string[] = [];
		const told = (name: string) => say(name, { word: `Undo ${name}`, undo: () => undone.push(name) });
		render(<Toasts />);
		act(() => {
			told("first");
			told("second");
			sayNow("thread1", "No files are missing from the folder now.");
		});
		const first = await screen.findByRole("button", { name: /Undo first/ });
		expect(screen.getByRole("button", { name: /Undo second/ }).querySelector("kbd")).not.toBeNull();
		expect(first.querySelector("kbd")).toBeNull();
		fireEvent.click(first);
		fireEvent.click(first);
		expect(undone).toEqual(["first"]);
		act(() => expect(undoLast()).toBe(true));
		expect(undone).toEqual(["first", "second"]);
		expect(undoLast()).toBe(false);
		await waitFor(() => expect(screen.queryByText("second")).toBeNull());
		expect(screen.queryByText("No files are missing from the folder now.")).not.toBeNull();
	});
});

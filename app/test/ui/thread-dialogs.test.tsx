import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { askDelete, ThreadDialogs } from "../../src/ui/shell/thread-dialogs.tsx";
import { InApp } from "./in-app.tsx";
import { appState, ended, summary } from "./stories.ts";

afterEach(cleanup);

describe("the question whether to delete a thread", () => {
	const lastTurn = ended({}, undefined).turn;
	const idle = summary("a", 1, { lastTurn, title: "The site" });
	const running = { ...idle, pendingTurnId: lastTurn.turnId };
	const busy = "This thread is still running. Stop it before deleting.";
	const ask = (thread: typeof idle) => {
		const here = new InApp({ ...appState, threads: [thread] });
		render(
			<div className="frame">
				<ThreadDialogs />
			</div>,
			{ wrapper: here.wrapper },
		);
		act(() => askDelete(thread));
		return (threads: readonly (typeof idle)[]) => act(() => here.app.set({ ...appState, threads }));
	};
	const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Delete" });

	it("follows the thread: it can be deleted once its run is over, and not while a new one is under way", () => {
		const become = ask(running);
		expect([screen.queryByText(busy) !== null, button().disabled]).toEqual([true, true]);
		become([idle]);
		expect([screen.queryByText(busy) !== null, button().disabled]).toEqual([false, false]);
		become([running]);
		expect([screen.queryByText(busy) !== null, button().disabled]).toEqual([true, true]);
	});

	it("names an unsent draft, and goes when another window has deleted the thread", () => {
		const become = ask({ ...idle, hasDraft: true });
		expect(screen.getByText("Its unsent draft will be deleted too.")).toBeTruthy();
		become([]);
		expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
	});
});

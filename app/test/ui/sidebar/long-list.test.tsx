import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ThreadList } from "../../../src/ui/sidebar/thread-list.tsx";
import { InApp } from "../in-app.tsx";
import { appState, summary } from "../stories.ts";

beforeEach(() => {
	// happy-dom lays nothing out.
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(300);
});
afterEach(() => {
	cleanup();
	vi.restoreAllMocks();
});

it("looks at the threads in sight when it scrolls, not at all 5,000", async () => {
	let reads = 0;
	const threads = Array.from({ length: 5_000 }, (_, n) => {
		const thread = summary(`thread ${n}`, n);
		const { threadId } = thread;
		Object.defineProperty(thread, "threadId", {
			enumerable: true,
			get: () => {
				reads += 1;
				return threadId;
			},
		});
		return { thread, state: "succeeded" as const };
	});
	const here = new InApp(appState);
	const groups = [{ title: "Earlier", threads }];
	render(<ThreadList groups={groups} />, { wrapper: here.wrapper });
	const list = document.querySelector<HTMLElement>(".groups");
	if (list === null) throw new Error("there is no list");
	const rows = () => screen.getAllByRole("link").map((row) => row.dataset.thread);
	const before = rows();
	expect(before.length).toBeLessThan(60);
	reads = 0;
	await act(async () => {
		list.scrollTop = 52 * 400;
		fireEvent.scroll(list);
	});
	expect(rows()).not.toEqual(before);
	expect(reads).toBeLessThan(1_000);
});

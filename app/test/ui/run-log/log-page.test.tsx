import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ThreadId, Timestamp, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RunLog, RunLogEntry } from "../../../src/api/ui-api.ts";
import { useStore } from "../../../src/ui/connection/store.ts";
import LogPage from "../../../src/ui/run-log/log-page.tsx";
import { go, route } from "../../../src/ui/state/route.ts";
import { formatTime } from "../../../src/ui/text/format.ts";
import { InApp } from "../in-app.tsx";

const threadId = "t-1" as ThreadId;
const turnId = "turn-1" as TurnId;
const at = (index: number) => new Date(Date.UTC(2026, 0, 2) + index * 10).toISOString() as Timestamp;

function entries(count: number): readonly RunLogEntry[] {
	return Array.from({ length: count }, (_, index) => ({
		at: at(index),
		from: "agent",
		to: "bridge",
		seq: index + 1,
		what: "notice",
		text: `event ${index}`,
		...(index === 2 && { text: "exited with code 9 …", whole: "exited with code 9\nError: EACCES" }),
	}));
}

function Page() {
	const here = useStore(route);
	return here.page === "log" ? <LogPage threadId={threadId} turnId={turnId} {...(here.line !== undefined && { line: here.line })} /> : null;
}

async function open(count: number, after: readonly RunLogEntry[] = [], here = new InApp()): Promise<HTMLElement> {
	const log: RunLog = { threadId, turnId, entries: [...entries(count), ...after], more: false };
	vi.stubGlobal("fetch", async () => Response.json({ result: log }));
	go({ page: "log", threadId, turnId });
	route.set({ page: "log", threadId, turnId });
	render(<Page />, { wrapper: here.wrapper });
	await screen.findByText("event 0");
	return screen.getByRole("listbox", { name: "Events" });
}

beforeEach(() => {
	// A document without a layout has no height, and so would show no line.
	vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
	vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(34);
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

describe("the page of a run log", () => {
	it("says how long a run took in total only once it is over", async () => {
		await open(200);
		expect(screen.getByText("2 s so far")).toBeTruthy();
		cleanup();
		await open(200, [{ at: at(220), from: "bridge", to: "app", what: "ended", text: "completed" }]);
		expect(screen.getByText("2.2 s total")).toBeTruthy();
		cleanup();
		await open(200, [{ at: at(220), from: "app", to: "app", what: "interrupted", text: "interrupted" }]);
		expect(screen.getByText("2.2 s total")).toBeTruthy();
		cleanup();
		await open(200, [{ at: at(220), from: "app", to: "app", what: "unknown", text: "" }]);
		expect(screen.getByText("2.2 s so far")).toBeTruthy();
	});

	it("says as of when it is while the app isn't responding", async () => {
		const here = new InApp(undefined, "gone");
		here.heardAt = at(0);
		await open(20, [], here);
		expect(screen.getByText(`As of ${formatTime(at(0))}. The app isn’t responding.`)).toBeTruthy();
	});

	it("[D8] opens the whole text of a line by Enter, follows the arrows, and closes by Escape", async () => {
		const copied: string[] = [];
		vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: async (text: string) => void copied.push(text) } });
		const list = await open(20);
		for (const _ of [0, 1, 2]) fireEvent.keyDown(list, { key: "ArrowDown" });
		expect(screen.getByRole("option", { selected: true }).textContent).toContain("exited with code 9 …");
		expect(list.getAttribute("aria-activedescendant")).toBe(screen.getByRole("option", { selected: true }).id);
		expect(screen.queryByRole("complementary", { name: "Event details" })).toBeNull();
		fireEvent.keyDown(list, { key: "Enter" });
		const details = await screen.findByRole("complementary", { name: "Event details" });
		expect(details.querySelector("pre")?.textContent).toBe("exited with code 9\nError: EACCES");
		expect(location.hash).toBe("#/t/t-1/turn-1?line=2");
		fireEvent.click(screen.getByRole("button", { name: "Copy text" }));
		await vi.waitFor(() => expect(copied).toEqual(["exited with code 9\nError: EACCES"]));
		fireEvent.keyDown(list, { key: "ArrowDown" });
		expect(location.hash).toBe("#/t/t-1/turn-1?line=3");
		expect(details.querySelector("pre")?.textContent).toBe("event 3");
		fireEvent.keyDown(details, { key: "Escape" });
		await vi.waitFor(() => expect(screen.queryByRole("complementary", { name: "Event details" })).toBeNull());
		expect(location.hash).toBe("#/t/t-1/turn-1");
	});

	it("draws only the lines near the window, of ten thousand", async () => {
		const list = await open(10_000);
		expect(screen.getByRole("button", { name: "All 10,000" })).toBeTruthy();
		expect(screen.getAllByRole("option").length).toBeLessThan(100);
		expect(screen.getAllByRole("option")[0]?.getAttribute("aria-setsize")).toBe("10000");
		fireEvent.keyDown(list, { key: "ArrowDown" });
		expect(screen.getByRole("option", { selected: true }).textContent).toContain("event 0");
	});

	it("says so where no event is of the kind that is asked for", async () => {
		await open(3);
		fireEvent.click(screen.getByRole("button", { name: "Problems 0" }));
		expect(screen.getByText("No events of this kind.")).toBeTruthy();
	});
});

import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Sidebar } from "../../../src/ui/sidebar/sidebar.tsx";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

const GIB = 1024 ** 3;

afterEach(cleanup);

function sidebarWith(freeBytes: number, totalBytes: number, more: Partial<typeof appState.bridge> = {}, neededBytes?: number): void {
	const storage = { freeBytes, totalBytes, ...(neededBytes !== undefined && { neededBytes }) };
	const capabilities = { ...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined), storage };
	const { wrapper } = new InApp({ ...appState, bridge: { ...appState.bridge, capabilities, ...more } });
	render(<Sidebar />, { wrapper });
}

it.each([
	["below 1 GiB", 512 * 1024 ** 2, 10 * GIB, "Disk almost full: 537 MB free"],
	["below 5 %", 40 * GIB, 1000 * GIB, "Disk almost full: 42.9 GB free"],
	["when nothing is left", 0, 10 * GIB, "The disk is full"],
])("the page warns of the bridge's disk where it is always seen, and leads to Diagnostics: %s", (_, free, total, words) => {
	sidebarWith(free, total);
	expect(screen.getByText(words).closest("a")?.getAttribute("href")).toBe("#/settings/diagnostics");
});

it("the page warns when a run as large as the latest would not find room", () => {
	sidebarWith(20 * GIB, 100 * GIB, {}, 30 * GIB);
	expect(screen.getByText("Disk almost full: 21.5 GB free")).toBeTruthy();
});

it("the page says nothing of a disk with room", () => {
	sidebarWith(20 * GIB, 100 * GIB);
	expect(screen.queryByText(/disk/i)).toBeNull();
	expect(screen.getByText("Connected")).toBeTruthy();
});

it("a bridge that is in trouble comes before a disk of which nothing is known now", () => {
	sidebarWith(512 * 1024 ** 2, 10 * GIB, { trouble: { what: "ended", own: true } });
	expect(screen.queryByText(/disk/i)).toBeNull();
	expect(screen.getByText(/restarting/i)).toBeTruthy();
});

import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { bridgeState } from "../../../src/ui/doctor/bridge-state.ts";
import { Sidebar } from "../../../src/ui/sidebar/sidebar.tsx";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

const NOW = Date.UTC(2026, 0, 2);
const startsAt = new Date(NOW + 7_400).toISOString();

afterEach(cleanup);

describe("the bridge's state", () => {
	it("is what its keeper sees before what the last call said", () => {
		expect(bridgeState({ state: "connected" }, NOW)).toEqual({ tone: "st-ok", text: "Connected" });
		expect(bridgeState({ state: "unreachable" }, NOW)).toEqual({ tone: "st-bad", text: "Can’t reach the bridge" });
		const shown = (trouble: Parameters<typeof bridgeState>[0]["trouble"]) =>
			bridgeState({ state: "connected", ...(trouble && { trouble }) }, NOW);
		expect(shown({ what: "silent", own: true })).toEqual({ tone: "st-bad", text: "Bridge not responding. Restarting…" });
		expect(shown({ what: "silent", own: false })).toEqual({ tone: "st-bad", text: "Bridge not responding" });
		expect(shown({ what: "ended", own: true, attempt: 1 })).toEqual({ tone: "st-run", text: "Restarting the bridge" });
		expect(shown({ what: "start_failed", own: true, attempt: 4, startsAt, message: "no room" })).toEqual({
			tone: "st-run",
			text: "Restarting the bridge in 8 s",
			detail: "attempt 4 · no room",
		});
	});

	it("stands in the page's corner as soon as it changes", async () => {
		const inApp = new InApp();
		render(<Sidebar />, { wrapper: inApp.wrapper });
		expect(screen.getByText("Connected")).toBeTruthy();
		const bridge = { ...appState.bridge, trouble: { what: "silent", own: true } } as const;
		inApp.app.set({ ...appState, bridge });
		expect(await screen.findByText("Bridge not responding. Restarting…")).toBeTruthy();
		expect(screen.queryByText("Connected")).toBeNull();
	});
});

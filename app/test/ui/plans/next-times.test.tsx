import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { NextTimes, useSchedule } from "../../../src/ui/new-plan/next-times.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const HOUR_MS = 3_600_000;

function Page() {
	const { schedule } = useSchedule({ type: "recurring", cron: "0 * * * *", timezone: "UTC" });
	return <NextTimes schedule={schedule} timezone="UTC" />;
}

it("a time that passes while the form is open is no longer a next time, and the bridge is asked once for the times after it", async () => {
	const begin = Date.now() + HOUR_MS / 2;
	const hours = (from: number) => Array.from({ length: 5 }, (_, n) => ({ at: new Date(begin + (from + n) * HOUR_MS).toISOString() }));
	let first = 0;
	const calls = fakeApp({ planSchedule: () => ({ words: "every hour", times: hours(first) }) });
	const shown = () => screen.queryAllByRole("listitem").map(({ textContent }) => /\d\d:\d\d/.exec(textContent)?.[0]);
	const clock = (from: number) => hours(from).map(({ at }) => at.slice(11, 16));
	const here = new InApp(appState);
	render(<Page />, { wrapper: here.wrapper });
	await waitFor(() => expect(shown()).toEqual(clock(0)));
	first = 1;
	act(() => here.app.set({ ...appState, bridge: { ...appState.bridge, clockAheadMs: HOUR_MS } }));
	expect(shown()).toEqual(clock(1).slice(0, 4));
	await waitFor(() => expect(shown()).toEqual(clock(1)));
	await act(() => new Promise((resolve) => setTimeout(resolve, 600)));
	expect(calls).toHaveLength(2);
});

import { act, cleanup, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
import { RunBar } from "../../../src/ui/run/run-bar.tsx";
import { askToStop, keptStops, sendKeptStops } from "../../../src/ui/state/kept-stops.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { useStop } from "../../../src/ui/state/use-stop.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, at, BEGIN, ended, foldUpdates, stage, summary } from "../stories.ts";

const turn = { threadId: ThreadId.parse("thread1"), turnId: TurnId.parse("turn1") };
const FULL = "Nothing was saved because the disk that holds XWorkmate's files is full.";
const SAID = `Couldn’t save your stop request yet. ${FULL} This page keeps sending the request.`;
const full = () => Promise.reject(Object.assign(new Error(FULL), { name: "DISK_FULL", toString: () => FULL }));

let app: FakeApp;
beforeEach(() => {
	localStorage.clear();
	app = new FakeApp();
	app.answers.set("cancelTurn", full);
});
afterEach(async () => {
	cleanup();
	vi.useRealTimers();
	app.isThere = true;
	app.answers.set("cancelTurn", () => ({ applied: true }));
	await sendKeptStops();
	app[Symbol.dispose]();
});

describe("a stop that the app could not save", () => {
	it("[D3] is announced with the reason, and not as one that the app has not received", async () => {
		const here = new InApp();
		const { result } = renderHook(() => useStop(turn), { wrapper: here.wrapper });
		act(() => result.current.stop());
		await until("it is announced", () => here.said.length === 1);
		expect(here.said).toEqual([SAID]);
	});

	it("[D3] is called so in the run bar, and as unsent once the app is away", async () => {
		await askToStop(turn);
		const bar = { createdAt: at(0), now: BEGIN + 5_400, away: false, gateway: false, stop: () => {}, tryNow: () => {} };
		const { result } = renderHook(() => useStop(turn), { wrapper: new InApp().wrapper });
		const { kept } = result.current;
		if (kept === undefined) throw new Error("it is not kept");
		const { container, rerender } = render(<RunBar {...bar} view={foldUpdates(emptyTurn, [stage(1, "working")])} kept={kept} />);
		expect(container.textContent).toContain(SAID);
		expect(container.textContent).not.toContain("when XWorkmate responds");
		rerender(<RunBar {...bar} view={foldUpdates(emptyTurn, [stage(1, "working")])} kept={kept} away appAway />);
		expect(container.textContent).toContain("Stop requested. This page will send the request when XWorkmate responds.");
	});

	it("[D3] is called so on Home's button", async () => {
		const lastTurn = { ...ended({}, undefined).turn, turnId: turn.turnId, status: "running" as const };
		const threads = [summary("thread1", 5, { pendingTurnId: turn.turnId, lastTurn })];
		render(<HomePage />, { wrapper: new InApp({ ...appState, threads }).wrapper });
		fireEvent.click(screen.getByRole("button", { name: "Stop" }));
		expect(await screen.findByRole("button", { name: "Stop not saved yet" })).toHaveProperty("disabled", true);
	});

	it("[D3] is sent again also after five minutes, as long as it is kept", async () => {
		vi.useFakeTimers();
		await askToStop(turn);
		await vi.advanceTimersByTimeAsync(6 * 60_000);
		const before = app.of("cancelTurn").length;
		await vi.advanceTimersByTimeAsync(60_000);
		expect(app.of("cancelTurn").length).toBeGreaterThan(before);
		app.answers.set("cancelTurn", () => ({ applied: true }));
		await vi.advanceTimersByTimeAsync(60_000);
		expect(keptStops.value).toEqual([]);
	});

	it("[D3] is not said to have come too late when the run has ended, because the app had passed it on", async () => {
		await askToStop(turn);
		app.isThere = false;
		await sendKeptStops();
		app.isThere = true;
		app.answers.set("cancelTurn", () => ({ applied: false }));
		await sendKeptStops();
		expect([keptStops.value, untold.value]).toEqual([[], []]);
	});

	it("[D3] is called unsent once the app no longer answers", async () => {
		await askToStop(turn);
		expect(keptStops.value[0]?.unsaved).toBe(FULL);
		app.isThere = false;
		await sendKeptStops();
		expect(keptStops.value).toMatchObject([{ ...turn, hasFailed: true }]);
		expect(keptStops.value[0]).not.toHaveProperty("unsaved");
	});
});

it("a stop that the app has passed on is not announced after the run's end", async () => {
	const { promise, resolve } = Promise.withResolvers<object>();
	app.answers.set("cancelTurn", () => promise);
	const lastTurn = { ...ended({}, undefined).turn, turnId: turn.turnId };
	const running = summary("thread1", 5, { pendingTurnId: turn.turnId, lastTurn: { ...lastTurn, status: "running" } });
	const here = new InApp({ ...appState, threads: [running] });
	const { result } = renderHook(() => useStop(turn), { wrapper: here.wrapper });
	act(() => result.current.stop());
	await until("it is sent", () => app.of("cancelTurn").length === 1);
	act(() => here.app.set({ ...appState, threads: [summary("thread1", 6, { lastTurn: { ...lastTurn, status: "cancelled" } })] }));
	resolve({ applied: true });
	await until("it is answered", () => keptStops.value.length === 0);
	await act(async () => {});
	expect(here.said).toEqual([]);
	// The same answer while the run is under way.
	act(() => here.app.set({ ...appState, threads: [running] }));
	act(() => result.current.stop());
	await until("it is announced", () => here.said.length === 1);
	expect(here.said).toEqual(["Stop requested"]);
});

import { act, cleanup, render, renderHook, screen } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { App } from "../../../src/ui/app.tsx";
import { AppLink } from "../../../src/ui/connection/app-link.ts";
import { callApp } from "../../../src/ui/connection/call-app.ts";
import { askToStop, keptStops, sendKeptStops } from "../../../src/ui/state/kept-stops.ts";
import { useStop } from "../../../src/ui/state/use-stop.ts";
// Loaded on demand in a browser; here the first ones would wait for their compilation.
import "../../../src/ui/overlays/overlays.tsx";
import "../../../src/ui/pages/thread-page.tsx";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

const turn = { threadId: ThreadId.parse("thread1"), turnId: TurnId.parse("turn1") };
const stored = () => localStorage.getItem("xworkmate.stops");

let app: FakeApp;
beforeEach(() => {
	localStorage.clear();
	app = new FakeApp();
});
afterEach(async () => {
	cleanup();
	app.isThere = true;
	await sendKeptStops();
	app[Symbol.dispose]();
});

describe("a stop", () => {
	it("[D3] is in the browser's storage before the app is asked, and out of it once the app has it", async () => {
		const seen: (string | null)[] = [];
		app.answers.set("cancelTurn", () => {
			seen.push(stored());
			return { applied: true };
		});
		expect(await askToStop(turn)).toBe("asked");
		expect(seen[0]).toContain("turn1");
		expect([stored(), keptStops.value]).toEqual([null, []]);
	});

	it("that came when the run had ended says so, and is kept no more", async () => {
		const link = new AppLink();
		render(<App link={link} />);
		link.start();
		await until("it asks for the state", () => app.streams.length === 1);
		app.stream?.line({ type: "state", state: appState });
		await screen.findByRole("searchbox", { name: "Search threads" });
		app.answers.set("cancelTurn", () => ({ applied: false }));
		await askToStop(turn);
		expect(await screen.findByText("There was nothing left to stop when your request arrived.")).toBeTruthy();
		expect(stored()).toBeNull();
		link.close();
	});

	it("[D3] pressed while the app is away is kept, and sent for its very turn when the app is back, by whatever page there is then", async () => {
		app.isThere = false;
		expect(await askToStop(turn)).toBe("kept");
		expect(keptStops.value).toMatchObject([turn]);
		app.isThere = true;
		const link = new AppLink();
		render(<App link={link} />);
		link.start();
		await until("it asks for the state", () => app.streams.length === 1);
		app.stream?.line({ type: "state", state: appState });
		await until("it was sent", () => app.of("cancelTurn").length === 1);
		expect(app.of("cancelTurn")).toEqual([turn]);
		await until("it is kept no more", () => stored() === null);
		link.close();
	});

	it("[D3] is kept while the app is away again, and dropped when the app does not know the turn any more", async () => {
		app.isThere = false;
		await askToStop(turn);
		await sendKeptStops();
		expect(keptStops.value).toHaveLength(1);
		app.isThere = true;
		app.answers.set("cancelTurn", () => Promise.reject(Object.assign(new Error("there is no such thread"), { name: "THREAD_NOT_FOUND" })));
		await sendKeptStops();
		expect([stored(), keptStops.value]).toEqual([null, []]);
	});

	it("[D3] whose request alone is lost is kept, and sent again as soon as the app says anything, until it has it", async () => {
		const link = new AppLink();
		link.start();
		await until("it asks for the state", () => app.streams.length === 1);
		app.lost.add("cancelTurn");
		expect(await askToStop(turn)).toBe("kept");
		expect(keptStops.value).toMatchObject([{ ...turn, hasFailed: true }]);
		app.stream?.line({ type: "state", state: appState });
		await until("it was sent again", () => app.of("cancelTurn").length === 2);
		app.stream?.line({ type: "state", state: appState });
		await until("it was sent a third time, after a rest", () => app.of("cancelTurn").length === 3);
		app.lost.clear();
		await callApp("listTools", {});
		await until("it is kept no more", () => stored() === null);
		expect(app.of("cancelTurn")).toEqual([turn, turn, turn, turn]);
		link.close();
	});

	it("[D3] that is kept is sent once, however many signs of the app come together", async () => {
		app.isThere = false;
		await askToStop(turn);
		app.isThere = true;
		const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
		app.answers.set("cancelTurn", () => answered.then(() => ({ applied: true })));
		await callApp("listTools", {});
		const sent = sendKeptStops();
		await callApp("listTools", {});
		answer();
		await sent;
		expect([app.of("cancelTurn"), stored()]).toEqual([[turn], null]);
	});

	it("[D3] that the app has no room to write is kept, and sent again until it has", async () => {
		const full = () => Promise.reject(Object.assign(new Error("the disk is full"), { name: "DISK_FULL" }));
		app.answers.set("cancelTurn", full);
		await askToStop(turn);
		expect(keptStops.value).toMatchObject([turn]);
		await until("it was sent again", () => app.of("cancelTurn").length === 2);
		expect(stored()).toContain("turn1");
		app.answers.set("cancelTurn", () => undefined);
		await until("it is kept no more", () => stored() === null);
		expect(app.of("cancelTurn")).toEqual([turn, turn, turn]);
	});

	it("[D3] that nothing keeps is not promised", async () => {
		app.isThere = false;
		const real = localStorage;
		const full = () => {
			throw new DOMException("full", "QuotaExceededError");
		};
		Object.defineProperty(globalThis, "localStorage", {
			configurable: true,
			value: { getItem: () => null, setItem: full, removeItem: full },
		});
		try {
			await expect(askToStop(turn)).rejects.toThrow();
			expect(keptStops.value).toEqual([]);
		} finally {
			Object.defineProperty(globalThis, "localStorage", { configurable: true, value: real });
		}
	});
});

it("[D3] a stop that is kept for later is announced each time", async () => {
	app.isThere = false;
	const here = new InApp();
	const { result } = renderHook(() => useStop(turn), { wrapper: here.wrapper });
	act(() => result.current.stop());
	await until("it is announced", () => here.said.length === 1);
	act(() => result.current.stop());
	await until("it is announced again", () => here.said.length === 2);
	expect(result.current.kept).toBe("unsent");
	expect(new Set(here.said)).toEqual(new Set(["Stop requested. This page will send the request when XWorkmate responds."]));
});

it("a stop is announced once the app has it, and not after the run had ended", async () => {
	const here = new InApp();
	const { result } = renderHook(() => useStop(turn), { wrapper: here.wrapper });
	act(() => result.current.stop());
	expect(result.current.kept).toBe("sending");
	await until("it is announced", () => here.said.length === 1);
	expect([here.said, result.current.kept]).toEqual([["Stop requested"], undefined]);
	app.answers.set("cancelTurn", () => ({ applied: false }));
	act(() => result.current.stop());
	await until("it is asked for again", () => app.of("cancelTurn").length === 2);
	await act(async () => undefined);
	expect(here.said).toHaveLength(1);
});

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Suspense, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DisconnectedPage } from "../../../src/ui/disconnected-page.tsx";
import { isKeySheetOpen } from "../../../src/ui/keys/open-key-sheet.ts";
import { forgetFailure, OnDemand } from "../../../src/ui/on-demand/on-demand.ts";
import { PageLoading } from "../../../src/ui/on-demand/page-loading.tsx";
import { OverlaysOnDemand, overlays } from "../../../src/ui/overlays/overlays-on-demand.tsx";
import { PageFault } from "../../../src/ui/page-fault.tsx";
import { openPlanMenu, planMenu } from "../../../src/ui/plans/plan-menu-state.ts";
import { InApp } from "../in-app.tsx";
import { plan } from "../plan-stories.ts";
import { appState } from "../stories.ts";

function Counter() {
	const [count, setCount] = useState(0);
	return (
		<button type="button" onClick={() => setCount(count + 1)}>
			pressed {count}
		</button>
	);
}

let answers: (() => Promise<typeof Counter>)[];
let asked: number;
let part: OnDemand<object>;

beforeEach(() => {
	asked = 0;
	answers = [];
	part = new OnDemand(() => {
		asked += 1;
		return answers.shift()?.() ?? Promise.resolve(Counter);
	});
	// React reports what an error boundary takes.
	vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
	cleanup();
	vi.restoreAllMocks();
});

function Page() {
	const [typed, setTyped] = useState("");
	return (
		<>
			<input aria-label="message" value={typed} onChange={(event) => setTyped(event.target.value)} />
			<ErrorBoundary FallbackComponent={PageFault} onError={forgetFailure}>
				<Suspense fallback={<p>Loading…</p>}>
					<part.Part />
				</Suspense>
			</ErrorBoundary>
		</>
	);
}

const lost = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

describe("a part of the page that is loaded on demand", () => {
	it("is shown without a fallback once it is loaded", async () => {
		await part.preload();
		render(<Page />);
		expect(screen.queryByText("Loading…")).toBeNull();
		expect(screen.getByText("pressed 0")).toBeTruthy();
		expect(asked).toBe(1);
	});

	it("keeps its state when it is rendered again after it was loaded", async () => {
		render(<Page />);
		expect(screen.getByText("Loading…")).toBeTruthy();
		fireEvent.click(await screen.findByText("pressed 0"));
		fireEvent.change(screen.getByLabelText("message"), { target: { value: "more" } });
		expect(screen.getByText("pressed 1")).toBeTruthy();
	});

	it("that could not be loaded is loaded again when the app is back", async () => {
		answers = [lost];
		const here = new InApp(appState, "gone");
		render(<Page />, { wrapper: here.wrapper });
		await screen.findByText("This part of the page couldn’t be loaded.");
		act(() => here.link.set("live"));
		expect(await screen.findByText("pressed 0")).toBeTruthy();
	});

	it("that cannot be loaded says so and what to do, keeps what is typed beside it, and is loaded again when asked to", async () => {
		answers = [lost, lost];
		render(<Page />);
		fireEvent.change(screen.getByLabelText("message"), { target: { value: "typed" } });
		await screen.findByText("This part of the page couldn’t be loaded.");
		expect(screen.getByText(/Try again, or reload the page/)).toBeTruthy();
		expect(screen.getByRole("button", { name: "Reload page" })).toBeTruthy();
		fireEvent.click(screen.getByRole("button", { name: "Try again" }));
		await expect.poll(() => asked).toBe(2);
		await screen.findByText("This part of the page couldn’t be loaded.");
		fireEvent.click(screen.getByRole("button", { name: "Try again" }));
		expect(await screen.findByText("pressed 0")).toBeTruthy();
		expect(screen.getByLabelText<HTMLInputElement>("message").value).toBe("typed");
		expect(asked).toBe(3);
	});

	it("that could not be loaded in advance is loaded when it is shown", async () => {
		answers = [lost];
		await expect(part.preload()).rejects.toThrow("couldn’t be loaded");
		render(<Page />);
		expect(await screen.findByText("pressed 0")).toBeTruthy();
	});
});

describe("a wait of more than a second", () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it("for a page that is loaded is named, in a live region that was there before", () => {
		render(<PageLoading />);
		const said = screen.getByRole("status");
		act(() => vi.advanceTimersByTime(999));
		expect(said.textContent).toBe("");
		act(() => vi.advanceTimersByTime(1));
		expect(said.textContent).toBe("Loading this part of the page…");
		expect(said.closest("[aria-busy=true]")).toBeNull();
	});

	it("for the app's first answer is named", () => {
		render(<DisconnectedPage state="connecting" tryNow={() => undefined} />);
		act(() => vi.advanceTimersByTime(1_000));
		expect(screen.getByRole("status").textContent).toBe("Connecting to the app…");
	});

	it("for a menu or a dialog is named", () => {
		const here = new InApp();
		isKeySheetOpen.set(true);
		render(<OverlaysOnDemand isAhead={false} />, { wrapper: here.wrapper });
		act(() => vi.advanceTimersByTime(1_000));
		expect(screen.getByRole("status").textContent).toBe("Loading this part of the page…");
		isKeySheetOpen.set(false);
	});
});

it("the menu of a plan is shown when it is opened, also if nothing was loaded ahead of time", async () => {
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	const button = document.body.appendChild(document.createElement("button"));
	// Waits for the code, which takes long in a test, but shows nothing.
	await overlays.preload();
	render(<OverlaysOnDemand isAhead={false} />, { wrapper: new InApp().wrapper });
	expect(screen.queryByRole("menu")).toBeNull();
	act(() => openPlanMenu(plan(), button));
	expect(await screen.findByRole("menu")).toBeDefined();
	act(() => planMenu.set(undefined));
	cleanup();
	document.body.replaceChildren();
});

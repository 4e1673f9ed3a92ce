import { act, cleanup, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HeldPlans } from "../../../src/ui/pages/held-plans.tsx";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import { Sidebar } from "../../../src/ui/sidebar/sidebar.tsx";
import { formatTime } from "../../../src/ui/text/format.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, contact, occurrence, plan } from "../plan-stories.ts";
import { appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const delivery = [action(), action({ actionId: "p1-1-2", status: "sending", code: undefined })];
const plans = [plan({ delivery, occurrence: occurrence({ delivery }) })];
const counts = { needsReview: 1, unread: 2 };
const asOf = `as of ${formatTime(AT)}`;

function show(part: ReactElement): InApp {
	fakeApp({ planBook: { ...counts, known: true, plans }, contacts: { contacts: [contact] } });
	const here = new InApp({ ...appState, plans: counts });
	render(part, { wrapper: here.wrapper });
	return here;
}
const goAway = (here: InApp) => act(() => here.app.set({ ...here.app.value, plans: { ...counts, asOf: AT } }));

describe("while the bridge is away", () => {
	it("the page of plans and each state that may have changed say when they were last reported, and nothing moves", async () => {
		const here = show(<PlansPage />);
		const card = await screen.findByRole("article", { name: "Supplier update" });
		expect([screen.queryByText(/as of/i), card.querySelector(".spin") === null]).toEqual([null, false]);
		goAway(here);
		for (const state of ["Needs review", "Sending"]) expect(card.textContent).toContain(`${state} ${asOf}`);
		expect(card.textContent).not.toContain(`Reported as done ${asOf}`);
		expect(screen.getByText(`As of ${formatTime(AT)}`)).toBeTruthy();
		expect(card.querySelector(".spin")).toBeNull();
	});

	it("the counts beside Plans and Inbox say when they were last reported", () => {
		const here = show(<Sidebar />);
		const link = (name: RegExp) => screen.getByRole("link", { name }).textContent;
		expect([link(/^Plans/), link(/^Inbox/)]).toEqual(["Plans1 waiting for you", "Inbox2 unread"]);
		goAway(here);
		expect([link(/^Plans/), link(/^Inbox/)]).toEqual([`Plans1 waiting for you ${asOf}`, `Inbox2 unread ${asOf}`]);
	});

	it("Home says when a plan's waiting messages were last reported", async () => {
		const here = show(<HeldPlans />);
		await screen.findByText("1 message to review");
		goAway(here);
		expect(screen.getByText(`1 message to review ${asOf}`)).toBeTruthy();
	});
});

it("Home and the sidebar date what waits without the app, a phone's badge doesn't count it, and nothing is being loaded", async () => {
	const parts = (
		<>
			<Sidebar />
			<HomePage />
			<PlansPage />
		</>
	);
	fakeApp({ planBook: () => new Promise(() => undefined), contacts: { contacts: [contact] } });
	const here = new InApp({ ...appState, threads: [summary("thread1", 1)], plans: counts });
	render(parts, { wrapper: here.wrapper });
	const badges = () => screen.getAllByRole("button", { name: /^Back to threads/ }).map(({ textContent }) => textContent);
	const head = () => screen.getByRole("heading", { name: /^Waiting for you/ }).textContent;
	const home = () => screen.getByRole("link", { name: /^Home/ }).textContent;
	expect([badges(), head(), home()]).toEqual([["1", "1"], "Waiting for you 1 plan", "Home1 waiting for you"]);
	expect(screen.getByText("Loading plans…")).toBeTruthy();
	here.heardAt = AT;
	act(() => here.link.set("gone"));
	expect([badges(), head(), home()]).toEqual([["", ""], `Waiting for you 1 plan ${asOf}`, `Home1 waiting for you ${asOf}`]);
	expect(screen.queryByText("Loading plans…")).toBeNull();
	expect([screen.getByText("The app isn’t responding.").tagName, screen.queryByText(`As of ${formatTime(AT)}`)]).toEqual(["P", null]);
});

it("a page without its app says when it last heard of the plans", async () => {
	const here = show(<HeldPlans />);
	await screen.findByText("1 message to review");
	here.heardAt = AT;
	act(() => here.link.set("gone"));
	expect(screen.getByText(`1 message to review ${asOf}`)).toBeTruthy();
});

import { act, cleanup, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import InboxPage from "../../../src/ui/inbox/inbox-page.tsx";
import { HeldPlans } from "../../../src/ui/pages/held-plans.tsx";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import PlanLogPage from "../../../src/ui/plan-log/plan-log-page.tsx";
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
		expect(card.textContent).not.toContain(`Run finished ${asOf}`);
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

	it("the count beside Plans includes the plans whose agent asks, as the page of plans does", () => {
		const here = show(<Sidebar />);
		act(() => here.app.set({ ...here.app.value, plans: { ...counts, needsYou: 2 } }));
		expect(screen.getByRole("link", { name: /^Plans/ }).textContent).toBe("Plans2 waiting for you");
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

describe("a plan's own page without news of it", () => {
	const noApp = `As of ${formatTime(AT)}. The app isn’t responding.`;

	/** The page of a plan with these due times. */
	function planPage(items: readonly unknown[], more: object = {}): InApp {
		const of = plan({ status: "pending", needsReview: 0, occurrence: items[0], ...more });
		fakeApp({ plan: of, planOccurrences: { items }, planUpdates: { items: [] }, channels: { channels: [] }, contacts: { contacts: [] } });
		const here = new InApp();
		const parts = (
			<>
				<PlanPage planId="p1" hasHistory />
				<PlanLogPage planId="p1" />
			</>
		);
		render(parts, { wrapper: here.wrapper });
		here.heardAt = AT;
		return here;
	}
	const chips = () => [...document.querySelectorAll(".chip")].map(({ textContent }) => textContent);

	it("dates that it is scheduled, has not run, and when it is next due; and its log and history", async () => {
		const here = planPage([]);
		await screen.findByText("This plan hasn’t run yet.");
		await screen.findByText("Nothing to show.");
		expect([screen.queryByText(/as of/i), chips()[0]]).toEqual([null, "Status: Scheduled"]);
		act(() => here.link.set("gone"));
		expect(screen.getAllByText(noApp)).toHaveLength(2);
		expect(chips()).toEqual([`Status: Scheduled ${asOf}`, `Status: Scheduled ${asOf}`]);
		expect(screen.getByText(`As of ${formatTime(AT)}, this plan hadn’t run yet.`)).toBeTruthy();
		expect(screen.getByText(/^next /).textContent).toContain(` ${asOf}`);
		expect(screen.getByRole("heading", { name: /^History/ }).textContent).toBe(`History ${asOf}`);
	});

	it("dates a message that waits, and says that it is the bridge that is away", async () => {
		const waiting = [action({ status: "pending", code: undefined })];
		const here = planPage([occurrence({ status: "delivering", delivery: waiting })]);
		await screen.findByText("Waiting");
		act(() => here.app.set({ ...here.app.value, plans: { ...counts, asOf: AT } }));
		expect(screen.getAllByText(`As of ${formatTime(AT)}. The bridge isn’t reporting changes.`)).toHaveLength(2);
		expect(screen.getByText(`Waiting ${asOf}`)).toBeTruthy();
	});
});

it("the inbox dates its messages and how many of them are unread", async () => {
	fakeApp({ inbox: { items: [], unread: 0 } });
	const here = new InApp();
	render(<InboxPage />, { wrapper: here.wrapper });
	await screen.findByText("0 unread");
	here.heardAt = AT;
	act(() => here.link.set("gone"));
	expect(screen.getByText(`0 unread ${asOf}`)).toBeTruthy();
	expect(screen.getByText(`As of ${formatTime(AT)}. The app isn’t responding.`)).toBeTruthy();
	act(() => here.link.set("connecting"));
	expect(screen.getByText(`As of ${formatTime(AT)}.`)).toBeTruthy();
});

describe("until the list has been read again", () => {
	/** The page of plans, whose app answers the first read at once and each later one when the test says so. */
	async function paused() {
		const answers: ((book: object) => void)[] = [];
		const old = { ...counts, known: true, plans };
		let isFirst = true;
		const planBook = () => {
			if (!isFirst) return new Promise((resolve) => answers.push(resolve));
			isFirst = false;
			return old;
		};
		fakeApp({ planBook, contacts: { contacts: [contact] }, channels: { channels: [] } });
		const here = new InApp({ ...appState, plans: counts });
		render(<PlansPage />, { wrapper: here.wrapper });
		await screen.findByRole("article", { name: "Supplier update" });
		const isNew = () => screen.queryByRole("article", { name: "Restored" }) !== null;
		const renewed = { ...old, plans: [plan({ planId: "p2", title: "Restored", status: "paused" })] };
		const dated = () => screen.queryByText(`As of ${formatTime(AT)}`) !== null;
		return { here, answers, old, renewed, isNew, dated };
	}

	it("from the app that is connected now, the old list keeps its time", async () => {
		const { here, answers, old, renewed, isNew, dated } = await paused();
		// Begins before the app is away, and is answered once another is there.
		act(() => here.appLink.planNews.set({ count: 1, of: {} }));
		here.heardAt = AT;
		act(() => here.link.set("gone"));
		here.heardAt = undefined;
		act(() => {
			here.appLink.connections.set(1);
			here.link.set("live");
		});
		expect([answers.length, dated(), isNew()]).toEqual([2, true, false]);
		await act(async () => answers[0]?.(old));
		expect([dated(), isNew()]).toEqual([true, false]);
		await act(async () => answers[1]?.(renewed));
		await screen.findByRole("article", { name: "Restored" });
		expect(dated()).toBe(false);
	});

	it("from a bridge that reports its plans again, the old list keeps its time", async () => {
		const { here, answers, renewed, dated } = await paused();
		goAway(here);
		act(() => here.app.set({ ...here.app.value, plans: counts }));
		expect([answers.length, dated()]).toEqual([1, true]);
		await act(async () => answers[0]?.(renewed));
		await screen.findByRole("article", { name: "Restored" });
		expect(dated()).toBe(false);
	});

	it("over a connection that replaced one which ended in order, the old list has its time", async () => {
		const { here, answers, renewed } = await paused();
		act(() => here.appLink.connections.set(1));
		expect([answers.length, screen.queryByText(/^As of /) !== null]).toEqual([1, true]);
		await act(async () => answers[0]?.(renewed));
		await screen.findByRole("article", { name: "Restored" });
		expect(screen.queryByText(/^As of /)).toBeNull();
	});
});

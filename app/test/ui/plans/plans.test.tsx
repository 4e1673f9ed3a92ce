import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { stagesOf } from "../../../src/ui/plan/plan-stages.ts";
import { PlanCard } from "../../../src/ui/plans/plan-card.tsx";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, contact, occurrence, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	sessionStorage.clear();
});

const paused = plan({ planId: "p2", title: "Backup report", status: "paused", needsReview: 0, occurrence: undefined });
const next = plan({ planId: "p3", title: "Morning brief", status: "pending", needsReview: 0, occurrence: undefined });
const onCard = { nameOf: () => undefined, isAsking: false, openMenu: () => undefined };
const book = { known: true, needsReview: 1, unread: 0, plans: [paused, next, plan()] };
const places = {
	channels: {
		channels: [
			{ channel: "email", ready: true, settings: {}, secrets: [], owner: "me@example.org" },
			{ channel: "dashboard", ready: true, settings: {}, secrets: [] },
		],
	},
	contacts: { contacts: [contact] },
};

describe("the page of plans", () => {
	it("[T2-71] [T2-72] shows a card with its work, each delivery with channel, state and reason, and its status", async () => {
		fakeApp({ planBook: book, ...places });
		render(<PlansPage />, { wrapper: new InApp().wrapper });
		const card = await screen.findByRole("article", { name: "Supplier update" });
		await waitFor(() => expect(card.textContent).toContain("to Anna"));
		for (const said of [
			"Needs review",
			"Run finished",
			"Summarise open orders",
			"Email",
			"The message says something was done",
			"Every Wednesday at 09:00",
		])
			expect(card.textContent).toContain(said);
		expect(within(card).getByRole("link", { name: "Review" }).getAttribute("href")).toBe("#/plans/p1/p1-1/review/p1-1-1");
		const heads = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
		expect(heads).toEqual(["Needs you 1", "Next due 1", "Paused and finished 1"]);
	});

	it.each([
		[
			{ status: "completed", proof: "sent", later: [{ at: AT, message: "131026: it could not be delivered" }] },
			"131026: it could not be delivered",
		],
		[{ status: "failed", code: "RECIPIENT_REFUSED", message: "131026" }, "Couldn’t be delivered to the recipient"],
		[{ status: "needs_review", code: "WINDOW_CLOSED", message: "It was not delivered" }, "WhatsApp’s 24-hour window was closed"],
		[{ status: "unknown", code: "NO_CONFIRMATION" }, "never confirmed"],
		[{ status: "sending", stage: "accepted" }, "Unconfirmed"],
	])("says on its card what came of a message after WhatsApp had taken it: %j", async (change, said) => {
		const { code: _code, ...base } = action({ channel: "whatsapp" });
		const delivery = [{ ...base, ...change }];
		const late = plan({ delivery, occurrence: occurrence({ delivery }) });
		fakeApp({ planBook: { ...book, plans: [late] }, ...places });
		render(<PlansPage />, { wrapper: new InApp().wrapper });
		const card = await screen.findByRole("article", { name: "Supplier update" });
		expect(card.textContent).toContain(said);
	});

	it.each([
		["user:200", "Discordto you"],
		["channel:300", "Discordto your usual channel"],
		[undefined, "Discordto you or your usual channel"],
	])("says where a message on Discord goes that names no recipient, if those go to %s", async (owner, said) => {
		const delivery = [action({ channel: "discord", recipient: undefined })];
		const own = plan({ delivery, occurrence: occurrence({ delivery }) });
		const channels = owner === undefined ? [] : [{ channel: "discord", ready: true, settings: {}, secrets: [], owner }];
		fakeApp({ planBook: { ...book, plans: [own] }, contacts: { contacts: [] }, channels: { channels } });
		const { container } = render(<PlansPage />, { wrapper: new InApp().wrapper });
		await screen.findByRole("article", { name: "Supplier update" });
		await waitFor(() => expect(container.querySelector("dl .ch")?.textContent).toBe(said));
	});

	it("filters by state and by what is typed, and says when nothing matches", async () => {
		fakeApp({ planBook: book, ...places });
		render(<PlansPage />, { wrapper: new InApp().wrapper });
		fireEvent.click(await screen.findByRole("button", { name: "Paused 1" }));
		expect(screen.getAllByRole("article")).toHaveLength(1);
		fireEvent.click(screen.getByRole("button", { name: "All 3" }));
		fireEvent.change(screen.getByRole("searchbox"), { target: { value: "anna" } });
		await waitFor(() => expect(screen.getAllByRole("article").length).toBeGreaterThan(0));
		fireEvent.change(screen.getByRole("searchbox"), { target: { value: "zebra" } });
		expect(screen.queryAllByRole("article")).toEqual([]);
		expect(screen.getByText("No plans match.")).toBeTruthy();
	});

	it("shows the first of many plans at once and all of them soon, with the number of all from the start", async () => {
		const many = Array.from({ length: 60 }, (_, index) =>
			plan({ planId: `p${index}`, needsReview: index < 40 ? 1 : 0, status: "pending" }),
		);
		fakeApp({ planBook: { ...book, plans: many }, ...places });
		const { container } = render(<PlansPage />, { wrapper: new InApp().wrapper });
		const all = (what: string) => [...container.querySelectorAll(what)];
		await waitFor(() => expect(all("article")).toHaveLength(30), { interval: 1 });
		expect(all("h2").map(({ textContent }) => textContent)).toEqual(["Needs you 40"]);
		await waitFor(() => expect(all("article")).toHaveLength(60), { timeout: 5_000 });
		expect(all("h2").map(({ textContent }) => textContent)).toEqual(["Needs you 40", "Next due 20"]);
	});

	it("says what a plan is where there is none", async () => {
		fakeApp({ planBook: { ...book, plans: [] }, ...places });
		render(<PlansPage />, { wrapper: new InApp().wrapper });
		expect(await screen.findByRole("heading", { name: "No plans yet" })).toBeTruthy();
	});
});

describe("the page of one plan", () => {
	const unknown = occurrence({
		delivery: [action({ status: "unknown", code: "NO_ANSWER", message: "The connection broke.", attempts: 1 })],
	});

	it("says of a message whose outcome is not known what is known, and that it is not sent again", async () => {
		fakeApp({ plan: plan({ occurrence: unknown }), planOccurrences: { items: [unknown] }, ...places });
		render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
		const region = await screen.findByRole("region", { name: /9:00|:00/ });
		for (const said of ["Unknown", "The connection broke.", "The message won’t be sent again automatically.", "SHA-256"])
			expect(region.textContent).toContain(said);
		expect(within(region).getByRole("link", { name: "Did it arrive?" })).toBeTruthy();
	});

	it("offers a pause only for a plan that is due again, and to resume a paused one", async () => {
		const shown = async (one: Parameters<typeof plan>[0]) => {
			fakeApp({ plan: plan(one), planOccurrences: { items: [unknown] }, ...places });
			const { unmount } = render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
			await screen.findByRole("button", { name: "Run now" });
			const names = ["Pause", "Resume"].filter((name) => screen.queryByRole("button", { name }) !== null);
			unmount();
			return names;
		};
		expect(await shown({})).toEqual(["Pause"]);
		expect(await shown({ status: "completed", nextDueAt: undefined })).toEqual([]);
		expect(await shown({ status: "paused", nextDueAt: undefined })).toEqual(["Resume"]);
	});

	it.each([
		[{ settledBy: "person" }, true],
		[{}, false],
	])("says of a message that the user settled whose word that is, on the card and on its page: %j", async (by, isSaid) => {
		const delivery = [{ ...action({ status: "completed", code: undefined, completedAt: AT }), ...by }];
		const over = occurrence({ status: "completed", delivery });
		const settled = plan({ status: "completed", needsReview: 0, delivery, occurrence: over });
		const card = render(<PlanCard plan={settled} {...onCard} />, { wrapper: new InApp().wrapper });
		expect(card.container.textContent?.includes("as you recorded")).toBe(isSaid);
		card.unmount();
		fakeApp({ plan: settled, planOccurrences: { items: [over] }, ...places });
		render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
		const region = await screen.findByRole("region", { name: /9:00|:00/ });
		expect(region.textContent?.includes("as you recorded")).toBe(isSaid);
	});

	it("says of a paused plan whose only time has passed that it has, and what happens on resume", async () => {
		const { occurrence: _none, ...never } = plan({
			...{ type: "scheduled", status: "paused", nextDueAt: undefined, scheduledFor: "2025-01-06T09:00:00.000Z", needsReview: 0 },
			delivery: [action({ status: "pending", code: undefined })],
		});
		const card = render(<PlanCard plan={never} {...onCard} />, { wrapper: new InApp().wrapper });
		expect(card.container.textContent).toContain("paused; the due time has passed");
		expect(card.container.textContent).not.toContain("Scheduled");
		card.unmount();
		fakeApp({ plan: never, planOccurrences: { items: [] }, ...places });
		const { container } = render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
		await screen.findByRole("button", { name: "Resume" });
		expect(container.textContent).toMatch(
			/The plan’s only due time, 6 Jan .*:\d\d, passed while it was paused\. Once you resume the plan, that due time will wait for your review, or be /,
		);
	});

	it("is unknown, and needs no review, if nothing but an unknown outcome waits", async () => {
		fakeApp({
			plan: plan({ occurrence: unknown, status: "needs_review", needsReview: 1 }),
			planOccurrences: { items: [unknown] },
			...places,
		});
		const { container } = render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
		await screen.findByRole("region", { name: /9:00|:00/ });
		expect(container.querySelector(".chip")?.textContent).toContain("Unknown");
		expect(container.textContent).not.toContain("Needs review");
	});

	/** 120 due times as the bridge pages them, newest first, each with a text of its own; any of them by its id. */
	function longHistory() {
		const items = Array.from({ length: 120 }, (_, index) =>
			occurrence({
				occurrenceId: `p1-${120 - index}`,
				dueAt: new Date(Date.parse(AT) - index * 86_400_000).toISOString(),
				deliverable: { text: `Text ${120 - index}`, sha256: "a".repeat(64), source: "model" },
			}),
		);
		return {
			plan: plan({ occurrence: items[0] }),
			planOccurrences: ({ occurrenceId, limit, cursor = "0" }: { occurrenceId?: string; limit: number; cursor?: string }) => {
				if (occurrenceId !== undefined) return { items: items.filter((one) => one.occurrenceId === occurrenceId) };
				const end = Number(cursor) + limit;
				return { items: items.slice(Number(cursor), end), ...(end < items.length && { nextCursor: String(end) }) };
			},
			...places,
		};
	}

	it("shows the due time that was asked for, however old", async () => {
		fakeApp(longHistory());
		render(<PlanPage planId="p1" occurrenceId="p1-3" hasHistory={false} />, { wrapper: new InApp().wrapper });
		expect(await screen.findByText("Text 3")).toBeTruthy();
		expect(screen.queryByText("Text 120")).toBeNull();
	});

	it("says that a due time no longer exists, and shows no other in its place", async () => {
		fakeApp(longHistory());
		render(<PlanPage planId="p1" occurrenceId="p1-999" hasHistory={false} />, { wrapper: new InApp().wrapper });
		expect(await screen.findByText("This due time no longer exists.")).toBeTruthy();
		expect(screen.queryByText("Text 120")).toBeNull();
	});

	it("says of no due time that it is gone before the answer for it has arrived", async () => {
		const { planOccurrences, ...answers } = longHistory();
		const late = Promise.withResolvers<void>();
		fakeApp({
			...answers,
			planOccurrences: async (params: Parameters<typeof planOccurrences>[0]) => {
				if (params.occurrenceId === "p1-3") await late.promise;
				return planOccurrences(params);
			},
		});
		const { rerender } = render(<PlanPage planId="p1" occurrenceId="p1-999" hasHistory={false} />, { wrapper: new InApp().wrapper });
		expect(await screen.findByText("This due time no longer exists.")).toBeTruthy();
		rerender(<PlanPage planId="p1" occurrenceId="p1-3" hasHistory={false} />);
		expect(screen.queryByText("This due time no longer exists.")).toBeNull();
		late.resolve();
		expect(await screen.findByText("Text 3")).toBeTruthy();
	});

	it("shows older due times in the history page by page, to the first", async () => {
		fakeApp(longHistory());
		render(<PlanPage planId="p1" hasHistory />, { wrapper: new InApp().wrapper });
		const history = await screen.findByRole("complementary", { name: "History" });
		expect(within(history).getAllByRole("link")).toHaveLength(50);
		expect(screen.getByRole("button", { name: /^History/ }).textContent).toContain("50+");
		for (const shown of [100, 120]) {
			fireEvent.click(within(history).getByRole("button", { name: "Show older due times" }));
			await waitFor(() => expect(within(history).getAllByRole("link")).toHaveLength(shown));
		}
		expect(within(history).queryByRole("button", { name: "Show older due times" })).toBeNull();
	});

	it("tells how far a time got by what is recorded, never further", () => {
		const states = (change: object) => stagesOf(occurrence(change)).map(({ name, state }) => `${name}:${state}`);
		expect(states({})).toEqual(["due:done", "work:done", "check:need", "send:", "confirm:"]);
		expect(states({ delivery: unknown.delivery })).toContain("send:lost");
		const delivery = [action({ status: "pending", code: undefined })];
		const running = { status: "running", gate: undefined, runs: [{ threadId: "t", turnId: "x" }], delivery };
		expect(states(running)).toEqual(["due:done", "work:now", "check:", "send:", "confirm:"]);
		// Nobody tried to send what was dropped, and a check that is over waits for nobody.
		for (const code of ["DISCARDED", "CANCELLED", "NOTHING_TO_SAY", "WORK_FAILED"]) {
			const dropped = { status: "failed", delivery: [action({ status: "failed", code, attempts: 0 })] };
			expect(states(dropped)).toEqual(["due:done", "work:done", "check:done", "send:"]);
			const gate = { valid: false, reason: "missing", words: "none" };
			expect(states({ ...dropped, gate })).toEqual(["due:done", "work:done", "check:bad", "send:"]);
			expect(states({ ...dropped, delivery: [action({ status: "failed", code, attempts: 1 })] })).toContain("send:bad");
		}
		expect(states({ status: "failed", delivery: [action({ status: "failed", code: "RECIPIENT_REFUSED" })] })).toContain("send:bad");
		const given = { status: "completed", runs: [], delivery: [action({ status: "completed", code: undefined, content: "Hi" })] };
		expect(states(given)).toEqual(["due:done", "send:done"]);
		expect(states({ ...given, delivery: [{ ...given.delivery[0], proof: "read" }] })).toContain("confirm:done");
	});
});

describe("the link from a message to what it says", () => {
	const payloadHash = "b".repeat(64);
	it.each([
		[{ status: "completed" }, "Show what was sent"],
		[{ status: "failed", code: "NOT_SENT", proof: "delivered" }, "Show what was sent"],
		[{ status: "sending", stage: "accepted" }, "Show what may have been sent"],
		[{ status: "sending", stage: "handing_over" }, "Show what may have been sent"],
		[{ status: "sending", stage: "claimed" }, "Show what would be sent"],
		[{ status: "pending", attempts: 1, notBefore: AT }, "Show what would be sent"],
		[{ status: "failed", code: "RECIPIENT_REFUSED" }, "Show the message"],
		[{ status: "failed", code: "CONTENT_REFUSED" }, "Show the message"],
	])("says whether it was sent: %j", async (change, said) => {
		const { code: _code, ...base } = action({ payloadHash, attempts: 1 });
		const one = occurrence({ status: "delivering", delivery: [{ ...base, ...change }] });
		fakeApp({ plan: plan({ delivery: one.delivery, occurrence: one }), planOccurrences: { items: [one] }, ...places });
		render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
		expect((await screen.findByRole("link", { name: /^Show (?:what|the message)/ })).textContent).toBe(said);
	});

	it("is there for a message that was refused before it was handed over, beside the address", async () => {
		const { recipient: _contact, ...toMe } = action({ status: "failed", code: "RECIPIENT_REFUSED", attempts: 1 });
		const one = occurrence({ status: "failed", delivery: [{ ...toMe, addressedTo: { address: "me@example.com" } }] });
		fakeApp({ plan: plan({ delivery: one.delivery, occurrence: one }), planOccurrences: { items: [one] }, ...places });
		const { container } = render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
		const link = await screen.findByRole("link", { name: "Show the message" });
		expect(link.getAttribute("href")).toContain("p1-1-1");
		expect(container.querySelector(".dlv .what")?.textContent).toBe("Emailto you (me@example.com)");
	});
});

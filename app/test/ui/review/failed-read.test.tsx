import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { Occurrence } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, contact, occurrence, plan, preview } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	for (const frame of document.querySelectorAll(".frame")) frame.remove();
	vi.unstubAllGlobals();
	untold.set([]);
});

/** The review of a message whose page loses the network, but not its connection to the app. */
function open(first: Occurrence) {
	const now = { occurrence: first, isOffline: false };
	const inApp = new InApp();
	const reach = <T,>(answer: () => T) => {
		return () => {
			if (now.isOffline) throw new TypeError("Failed to fetch");
			return answer();
		};
	};
	const calls = fakeApp({
		plan: reach(() => plan({ occurrence: now.occurrence })),
		planOccurrences: reach(() => ({ items: [now.occurrence] })),
		contacts: reach(() => ({ contacts: [contact] })),
		channels: reach(() => ({ channels: [] })),
		previewMessage: reach(() => preview),
	});
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: inApp.wrapper, container: frame });
	const report = () =>
		act(() => {
			const { count, of } = inApp.appLink.planNews.value;
			inApp.appLink.planNews.set({ count: count + 1, of: { ...of, p1: (of.p1 ?? 0) + 1 } });
		});
	const decisions = () => calls.filter(({ method }) => method === "reviewMessage");
	return { now, report, decisions };
}

const asOf = /^As of \d+:\d\d\. Newer changes couldn’t be loaded yet\.$/;
const wait = { timeout: 5_000 };
const button = (name: string) => screen.getByRole("button", { name });

it("a review whose change couldn't be loaded says as of when it is, offers no decision on it, and loads it once the app answers", async () => {
	const { now, report, decisions } = open(occurrence());
	await screen.findByTitle("The email as the recipient sees it");
	await screen.findByText(/^This is the whole message as it will be sent, byte for byte/);
	expect([screen.queryByText(asOf), button("Send")]).toEqual([null, expect.objectContaining({ disabled: false })]);
	now.isOffline = true;
	now.occurrence = occurrence({ status: "failed", revision: 5, delivery: [action({ status: "failed", code: "DISCARDED" })] });
	report();
	await screen.findByText(asOf);
	expect(document.querySelector(".chip")?.textContent).toMatch(/^Status: Needs review as of \d+:\d\d$/);
	expect(screen.queryByText(/as it will be sent/)).toBeNull();
	for (const name of ["Send", "Discard"]) expect(button(name)).toHaveProperty("disabled", true);
	expect(screen.getByText("You can decide about this message once the page is up to date again.")).toBeTruthy();
	fireEvent.keyDown(screen.getByRole("main"), { key: "Enter", ctrlKey: true });
	fireEvent.click(button("Edit"));
	fireEvent.change(await screen.findByRole("textbox", { name: "The message" }), { target: { value: "My own words." } });
	expect(button("Send this text")).toHaveProperty("disabled", true);
	fireEvent.click(button("Discard edit"));
	expect(decisions()).toEqual([]);
	now.isOffline = false;
	await screen.findByRole("button", { name: "Send after all…" }, wait);
	expect([screen.queryByText(asOf), screen.queryByRole("button", { name: "Send" })]).toEqual([null, null]);
	expect(button("Send after all…")).toHaveProperty("disabled", false);
});

it("a message whose outcome may be known by now is neither settled nor sent again until the page is up to date", async () => {
	const { now, report } = open(occurrence({ delivery: [action({ status: "unknown", code: "NO_ANSWER" })] }));
	await screen.findByRole("button", { name: "Did it arrive?" });
	now.isOffline = true;
	now.occurrence = occurrence({ revision: 5, delivery: [action({ status: "completed", payloadHash: preview.payloadHash })] });
	report();
	await screen.findByText(asOf);
	for (const name of ["Did it arrive?", "Send again…"]) expect(button(name)).toHaveProperty("disabled", true);
	now.isOffline = false;
	await waitFor(() => expect(screen.queryByRole("button", { name: "Did it arrive?" })).toBeNull(), wait);
	expect(button("Send again…")).toHaveProperty("disabled", false);
});

it("a preview that the app did not answer is built again once it does", async () => {
	const { now } = open(occurrence());
	await screen.findByTitle("The email as the recipient sees it");
	fireEvent.click(button("Edit"));
	now.isOffline = true;
	fireEvent.change(await screen.findByRole("textbox", { name: "The message" }), { target: { value: "My own words." } });
	await screen.findByText("The app isn’t responding.");
	expect(button("Send this text")).toHaveProperty("disabled", true);
	now.isOffline = false;
	await waitFor(() => expect(button("Send this text")).toHaveProperty("disabled", false), wait);
	expect(screen.queryByText("The app isn’t responding.")).toBeNull();
});

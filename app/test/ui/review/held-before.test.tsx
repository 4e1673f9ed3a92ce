import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import type { Occurrence } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, contact, occurrence, plan, preview } from "../plan-stories.ts";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	for (const frame of document.querySelectorAll(".frame")) frame.remove();
	vi.unstubAllGlobals();
	untold.set([]);
});

const CLAIM = "The message says something was done, but nothing confirms it";
const heldFor = ["UNVERIFIED_CLAIM"];
const sent = { status: "completed", code: undefined, heldFor, payloadHash: preview.payloadHash };

function open(one: Occurrence, previewMessage: unknown = preview) {
	fakeApp({
		plan: plan({ occurrence: one }),
		planOccurrences: { items: [one] },
		contacts: { contacts: [contact] },
		channels: { channels: [] },
		previewMessage,
	});
	const inApp = new InApp();
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: inApp.wrapper, container: frame });
	return inApp;
}

/** What the panel of checks lists, once the message is shown. */
async function checks(): Promise<readonly (string | null)[]> {
	await screen.findByTitle("The email as the recipient sees it");
	const panel = screen.getByRole("complementary", { name: "Checks and bytes" });
	return within(panel)
		.getAllByRole("listitem")
		.map(({ textContent }) => textContent);
}

const own = { text: "My own words.", sha256: preview.payloadHash, source: "person" };
const before = `Was held for review: ${CLAIM}`;
it.each([
	["was sent after it was held", { delivery: [action(sent)] }, [before]],
	["was discarded", { delivery: [action({ status: "failed", code: "DISCARDED", heldFor })] }, [before, "Discarded"]],
	["is held once more", { delivery: [action({ code: "CHANNEL_AUTH", heldFor })] }, [before, expect.stringContaining("Email")]],
	["was edited", { delivery: [action(sent)], deliverable: own }, [before]],
	["was never held", { delivery: [action({ ...sent, heldFor: undefined })] }, ["The checks found no problems."]],
])("says of a message that %s what it was held for", async (_how, change, listed) => {
	open(occurrence(change));
	expect(await checks()).toEqual(listed);
});

it("says what a message was held for before it is sent after all", async () => {
	open(occurrence({ status: "failed", delivery: [action({ status: "failed", code: "DISCARDED", heldFor })] }));
	fireEvent.click(await screen.findByRole("button", { name: "Send after all…" }));
	expect((await screen.findByRole("dialog", { name: "Send this after all?" })).textContent).toContain(before);
});

it("doesn't say of a text that is being written what the text before it was held for", async () => {
	open(occurrence());
	expect(await checks()).toEqual([CLAIM]);
	fireEvent.click(screen.getByRole("button", { name: "Edit" }));
	fireEvent.change(screen.getByRole("textbox", { name: "The message" }), { target: { value: "Sunshine and soup." } });
	expect(await checks()).toEqual([`Before your edit: ${CLAIM}`]);
	expect(screen.queryByText(CLAIM)).toBeNull();
	fireEvent.click(screen.getByRole("button", { name: "Discard edit" }));
	expect(await checks()).toEqual([CLAIM]);
});

it("says of a text that is being written what else the text before it was held for, and not that nothing was found", async () => {
	const also = `Also held for review: ${CLAIM}`;
	const work = "Also held for review: The work couldn’t be verified";
	open(occurrence({ delivery: [action({ code: "LINT_BIDI", heldFor: [...heldFor, "WORK_UNVERIFIED"] })] }));
	expect(await checks()).toEqual([also, work]);
	const held = screen.getByRole("heading", { name: "Text direction is overridden" }).parentElement;
	expect(held?.textContent).toContain(`${also}${work}`);
	fireEvent.click(screen.getByRole("button", { name: "Edit" }));
	fireEvent.change(screen.getByRole("textbox", { name: "The message" }), { target: { value: "Sunshine and soup." } });
	// The text may no longer claim anything; the work is the same.
	expect(await checks()).toEqual([`Before your edit: ${CLAIM}`, work]);
	expect(held?.textContent).toContain(`Before your edit: Text direction is overriddenBefore your edit: ${CLAIM}${work}`);
});

it("says once what a message that is sent after all is held for again", async () => {
	open(occurrence({ delivery: [action({ code: "WORK_UNVERIFIED", heldFor: ["WORK_UNVERIFIED", "LINT_BIDI"] })] }));
	const title = "The work couldn’t be verified";
	expect(await checks()).toEqual(["Was held for review: Text direction is overridden", title]);
	expect(screen.getByRole("heading", { name: title }).parentElement?.textContent).not.toContain("held for review");
});

it("loads a message again once the app and the bridge respond again", async () => {
	let isAway = true;
	const inApp = open(occurrence(), () => (isAway ? new Refused("BRIDGE_NOT_RUNNING", "The bridge isn’t running.") : preview));
	await screen.findByText("The bridge isn’t running.");
	const { bridge } = appState;
	act(() => inApp.link.set("gone"));
	isAway = false;
	act(() => {
		inApp.app.set({ ...appState, bridge: { ...bridge, state: "starting" } });
		inApp.link.set("live");
	});
	expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
	act(() => inApp.app.set(appState));
	await screen.findByRole("button", { name: "Send" });
	await waitFor(() => expect(screen.queryByText("The bridge isn’t running.")).toBeNull());
});

it("says beside any other reason that a message may have been sent since the backup that was restored", async () => {
	open(occurrence({ delivery: [action({ mayHaveBeenSent: true })] }));
	const sentPerhaps = "This message may have been sent already";
	expect(await checks()).toEqual([CLAIM, sentPerhaps]);
	expect(screen.getByRole("heading", { name: CLAIM }).parentElement?.textContent).toContain(
		"A backup was restored, so XWorkmate can’t tell whether this message was sent after the backup was made.",
	);
	fireEvent.click(screen.getByRole("button", { name: "Edit" }));
	expect(await checks()).toEqual([`Before your edit: ${CLAIM}`, sentPerhaps]);
});

it("says so where sending anyway has to be confirmed, also of a finding alone", async () => {
	open(occurrence({ delivery: [action({ code: "LINT_BIDI", mayHaveBeenSent: true })] }));
	expect(await checks()).toEqual(["This message may have been sent already"]);
	fireEvent.click(screen.getByRole("button", { name: "Send anyway…" }));
	expect((await screen.findByRole("alertdialog", { name: "Send anyway?" })).textContent).toContain("; may have been sent already");
});

it("says of a message that failed that it may have been sent since the backup, and sends it again only after a tick", async () => {
	const failed = action({ status: "failed", code: "RECIPIENT_REFUSED", mayHaveBeenSent: true });
	open(occurrence({ status: "failed", code: "DELIVERY_FAILED", delivery: [failed] }));
	expect(await checks()).toContain("This message may have been sent already");
	expect(document.querySelector(".chip")?.textContent).toContain("May have been sent");
	fireEvent.click(screen.getByRole("button", { name: "Send again…" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Send this again?" }));
	const sends = () => dialog.getByRole("button", { name: "Send again" });
	expect(sends()).toHaveProperty("disabled", true);
	dialog.getByText(/A backup was restored, so XWorkmate can’t tell .* Check whether it has arrived before you send it\.$/);
	fireEvent.change(dialog.getByRole("combobox"), { target: { value: contact.contactId } });
	expect(sends()).toHaveProperty("disabled", true);
	fireEvent.click(dialog.getByRole("checkbox"));
	expect(sends()).toHaveProperty("disabled", false);
});

it.each([
	["says that it changed", true, ["The message changed since you previewed it. This is the new version. Check it before you send it."]],
	["says nothing if it did not change", false, []],
])("builds a message again when an address has changed, since it shows what would be sent, and %s", async (_what, isIts, said) => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	try {
		let address = "anna@example.org";
		const one = occurrence();
		const calls = fakeApp({
			...{ plan: plan({ occurrence: one }), planOccurrences: { items: [one] }, channels: { channels: [] } },
			previewMessage: () => (isIts && address.endsWith("com") ? { ...preview, payloadHash: "d".repeat(64) } : preview),
			contacts: () => ({ contacts: [{ ...contact, addresses: { email: address } }] }),
		});
		const frame = document.body.appendChild(document.createElement("div"));
		frame.className = "frame";
		const inApp = new InApp();
		render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: inApp.wrapper, container: frame });
		await screen.findByRole("button", { name: "Send" });
		const builds = () => calls.filter(({ method }) => method === "previewMessage").length;
		const before = builds();
		await vi.advanceTimersByTimeAsync(6_000);
		expect(builds()).toBe(before);
		address = "anna@example.com";
		await vi.advanceTimersByTimeAsync(6_000);
		await waitFor(() => expect(builds()).toBe(before + 1));
		if (isIts) await screen.findByText("dddd ".repeat(16).trim());
		await vi.advanceTimersByTimeAsync(6_000);
		expect(inApp.said).toEqual(said);
		expect(untold.value.map(({ text }) => text)).toEqual(said);
	} finally {
		vi.useRealTimers();
	}
});

import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
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
	location.hash = "";
});

/** Opens the review of a message that can be sent again. The new message is queued. */
function open(one: Occurrence) {
	const calls = fakeApp({
		plan: plan({ occurrence: one }),
		planOccurrences: { items: [one] },
		contacts: { contacts: [contact, { ...contact, contactId: "ben", name: "Ben" }] },
		channels: { channels: [] },
		previewMessage: preview,
		resendMessages: occurrence({ occurrenceId: "p1-2", kind: "resend", delivery: [action({ status: "pending", code: undefined })] }),
	});
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: new InApp().wrapper, container: frame });
	return calls;
}

it("asks for the tick before a message that arrived goes to another contact, without saying that this one gets it twice", async () => {
	const calls = open(occurrence({ status: "completed", delivery: [action({ status: "completed", code: undefined })] }));
	fireEvent.click(await screen.findByRole("button", { name: "Send again…" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Send this again?" }));
	expect(dialog.getByText("The message may arrive twice.")).toBeTruthy();
	expect(dialog.getByRole("checkbox", { name: "Send it even though it may be a duplicate" })).toBeTruthy();
	await dialog.findByRole("option", { name: "Ben" });
	fireEvent.change(dialog.getByRole("combobox"), { target: { value: "ben" } });
	expect(dialog.queryByText("The message may arrive twice.")).toBeNull();
	fireEvent.click(dialog.getByRole("checkbox", { name: "Send it even though the first message arrived, or may have" }));
	fireEvent.click(dialog.getByRole("button", { name: "Send again" }));
	await waitFor(() => expect(untold.value.map(({ text }) => text)).toEqual(["Queued to be sent again"]));
	expect(calls.find(({ method }) => method === "resendMessages")?.params).toMatchObject({ recipient: "ben", allowDuplicate: true });
});

it("sends with the address that it shows, so that the message goes to no other one", async () => {
	const sent = async (recipient: string) => {
		const was = { addressedTo: { address: "anna.old@example.com", name: "Anna" }, recipient: "anna", channel: "email" as const };
		const calls = open(occurrence({ status: "failed", delivery: [action({ status: "failed", code: "NOT_SENT", ...was })] }));
		fireEvent.click(await screen.findByRole("button", { name: "Send again…" }));
		const dialog = within(await screen.findByRole("dialog"));
		await dialog.findByRole("option", { name: `Anna (${contact.addresses.email})` });
		fireEvent.change(dialog.getByRole("combobox"), { target: { value: recipient } });
		fireEvent.click(dialog.getByRole("button", { name: "Send again" }));
		await waitFor(() => expect(calls.some(({ method }) => method === "resendMessages")).toBe(true));
		cleanup();
		return calls.find(({ method }) => method === "resendMessages")?.params;
	};
	expect(await sent("")).toMatchObject({ address: contact.addresses.email });
	expect(await sent("ben")).toMatchObject({ recipient: "ben", address: contact.addresses.email });
});

it("does not say of a message that was never sent that it is sent again", async () => {
	open(occurrence({ status: "failed", delivery: [action({ status: "failed", code: "DISCARDED" })] }));
	fireEvent.click(await screen.findByRole("button", { name: "Send after all…" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Send this after all?" }));
	fireEvent.click(dialog.getByRole("button", { name: "Send after all" }));
	await waitFor(() => expect(untold.value.map(({ text }) => text)).toEqual(["Queued to be sent"]));
});

it("asks for the tick before a message is sent after all that was dropped after a restore", async () => {
	const dropped = action({ status: "failed", code: "CANCELLED", heldFor: ["STORE_RESTORED"] });
	const calls = open(occurrence({ status: "failed", delivery: [dropped] }));
	fireEvent.click(await screen.findByRole("button", { name: "Send after all…" }));
	const dialog = within(await screen.findByRole("dialog", { name: "Send this after all?" }));
	expect(dialog.getByText("The message may arrive twice.")).toBeTruthy();
	expect(dialog.getByRole("button", { name: "Send after all" })).toHaveProperty("disabled", true);
	fireEvent.click(dialog.getByRole("checkbox", { name: "Send it even though it may be a duplicate" }));
	fireEvent.click(dialog.getByRole("button", { name: "Send after all" }));
	await waitFor(() => expect(calls.find(({ method }) => method === "resendMessages")?.params).toMatchObject({ allowDuplicate: true }));
});

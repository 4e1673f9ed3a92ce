import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { recipientName } from "../../../src/ui/plans/recipient-names.ts";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, contact, occurrence, plan, preview } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	for (const frame of document.querySelectorAll(".frame")) frame.remove();
	vi.unstubAllGlobals();
});

const anna = { address: "anna@example.org", name: "Anna" };
const bob = { ...contact, name: "Bob", addresses: { email: "bob@example.net" } };
const { code: _code, ...held } = action();
const toAnna = { channel: "email", recipient: "anna" };
const sent = { ...held, status: "completed", completedAt: AT, payloadHash: preview.payloadHash, addressedTo: anna };
const one = occurrence({ status: "completed", delivery: [sent] });

function answers(shown = one, channels: readonly object[] = []) {
	fakeApp({
		plan: plan({ occurrence: shown, delivery: shown.delivery, status: "completed", terms: { work: [], delivery: [toAnna] } }),
		planOccurrences: { items: [shown] },
		contacts: { contacts: [bob] },
		channels: { channels },
		previewMessage: preview,
	});
}

it("shows the recipient that a message was sent to, also once the contact is another", async () => {
	answers();
	const page = render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
	await waitFor(() => expect(page.container.querySelector(".sum .ch")?.textContent).toContain("to Bob"));
	expect(page.container.querySelector(".dlv .ch")?.textContent).toBe("Emailto Anna (anna@example.org)");
	page.unmount();
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	const review = render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: new InApp().wrapper, container: frame });
	await screen.findByTitle("The email as the recipient sees it");
	expect(review.container.querySelector(".ch")?.textContent).toBe("Emailto Anna (anna@example.org)");
	fireEvent.click(screen.getByRole("button", { name: "Send again…" }));
	const to = await screen.findByRole("combobox", { name: "Recipient" });
	// Sent again, it would go to the contact as it is now.
	expect((to as HTMLSelectElement).selectedOptions[0]?.textContent).toBe("Bob (bob@example.net)");
});

it("names the contact of today for a message that is held, since it is built again", async () => {
	answers(occurrence({ delivery: [{ ...action(), addressedTo: anna }] }));
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	const review = render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: new InApp().wrapper, container: frame });
	await waitFor(() => expect(review.container.querySelector(".ch")?.textContent).toBe("Emailto Bob"));
});

it("names the channel on Discord that a message was posted in, whatever the usual one is now", () => {
	const post = { channel: "discord", status: "completed" } as const;
	expect(recipientName({ ...post, addressedTo: { address: "channel:300" } })).toBe("your usual channel");
	expect(recipientName({ ...post, addressedTo: { address: "user:200" } })).toBeUndefined();
});

it.each([
	["email", "mira@example.org", "mira@example.org", "As before"],
	["email", "mira@example.org", "mira@example.net", "you (mira@example.net)"],
	["discord", "user:200", "channel:300", "your usual channel (channel:300)"],
	["email", "mira@example.org", undefined, "As before"],
])(
	"says of a message on %s that went to the user at %s, with the address %s now, that it goes again to: %s",
	async (channel, address, owner, said) => {
		const { recipient: _none, ...own } = sent;
		answers(occurrence({ status: "completed", delivery: [{ ...own, channel, addressedTo: { address } }] }), [
			{ channel, ready: true, ...(owner !== undefined && { owner }), settings: {}, secrets: [] },
		]);
		const frame = document.body.appendChild(document.createElement("div"));
		frame.className = "frame";
		render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: new InApp().wrapper, container: frame });
		fireEvent.click(await screen.findByRole("button", { name: "Send again…" }));
		const to = await screen.findByRole("combobox", { name: "Recipient" });
		await waitFor(() => expect((to as HTMLSelectElement).selectedOptions[0]?.textContent).toBe(said));
	},
);

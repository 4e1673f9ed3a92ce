import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { contact, occurrence, plan, preview } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	for (const frame of document.querySelectorAll(".frame")) frame.remove();
	vi.unstubAllGlobals();
	untold.set([]);
});

const HOSTILE = "Pay \u202eyl\u202c now";
const WHY = "This text can’t be sent until you change it: Text direction is overridden.";
const lint = [{ rule: "bidi", at: 4, excerpt: "Pay \\u{202e}yl" }];

/** The editor of a held message. Like the bridge's, the preview lists what the checks find in a text, and a text with a finding is refused. */
async function edit() {
	const gate = Promise.withResolvers<void>();
	let isSlow = false;
	const calls = fakeApp({
		plan: plan(),
		planOccurrences: { items: [occurrence()] },
		contacts: { contacts: [contact] },
		channels: { channels: [] },
		previewMessage: async ({ content }: { content?: string }) => {
			if (isSlow) await gate.promise;
			return { ...preview, lint: content === HOSTILE ? lint : [] };
		},
		reviewMessage: new Refused(
			"CONTENT_INVALID",
			"This text can't be sent through email as it is: its text direction is overridden (Pay \\u{202e}yl).",
		),
	});
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: new InApp().wrapper, container: frame });
	await screen.findByTitle("The email as the recipient sees it");
	fireEvent.click(screen.getByRole("button", { name: "Edit" }));
	const type = (value: string) => fireEvent.change(screen.getByRole("textbox", { name: "The message" }), { target: { value } });
	const decisions = () => calls.filter(({ method }) => method === "reviewMessage");
	const slow = () => {
		isSlow = true;
		return gate.resolve;
	};
	return { type, decisions, slow };
}
const send = () => screen.getByRole("button", { name: "Send this text" });

it("names what the checks find in a text of the user's own, doesn't promise to send it, and offers it once it is changed", async () => {
	const { type, decisions } = await edit();
	type(HOSTILE);
	await screen.findByText(WHY);
	const panel = within(screen.getByRole("complementary", { name: "Checks and bytes" }));
	expect(panel.getByText("Text direction is overridden").parentElement?.textContent).toContain("Pay ⟨U+202E⟩yl");
	expect(panel.queryByText(/as it will be sent/)).toBeNull();
	expect(panel.getByText("This text won’t be sent as it is, because the checks found a problem in it.")).toBeTruthy();
	expect(send()).toHaveProperty("disabled", true);
	fireEvent.keyDown(screen.getByRole("main"), { key: "Enter", ctrlKey: true });
	expect(decisions()).toEqual([]);
	type("Pay now");
	await waitFor(() => expect(send()).toHaveProperty("disabled", false));
	expect(screen.queryByText(WHY)).toBeNull();
	expect(panel.getByText(/^This is the whole message as it will be sent, byte for byte/)).toBeTruthy();
});

it("says in the page's words why a text is refused that was sent before its checks were shown", async () => {
	const { type, decisions, slow } = await edit();
	type("Pay now");
	await waitFor(() => expect(send()).toHaveProperty("disabled", false));
	const answer = slow();
	type(HOSTILE);
	fireEvent.click(send());
	await waitFor(() => expect(decisions()).toHaveLength(1));
	answer();
	await waitFor(() => expect(untold.value.map(({ text }) => text)).toEqual([WHY]));
	expect(send()).toHaveProperty("disabled", true);
});

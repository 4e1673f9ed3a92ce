import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, contact, occurrence, plan, preview } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	for (const frame of document.querySelectorAll(".frame")) frame.remove();
	vi.unstubAllGlobals();
});

const lint = [
	{ rule: "invisible", at: 2, excerpt: "Hi\\u{200b} there" },
	{ rule: "link_text", at: 20, excerpt: "bank.com → evil.example" },
] as const;

/** The review of a message that hides characters and where a link goes. */
async function open(text: string): Promise<InApp> {
	const one = occurrence({ delivery: [action({ code: "LINT_INVISIBLE", lint: [...lint] })] });
	const parts = preview.parts.map((part) => (part.kind === "text" ? { ...part, text } : part));
	fakeApp({
		plan: plan({ occurrence: one }),
		planOccurrences: { items: [one] },
		contacts: { contacts: [contact] },
		previewMessage: { ...preview, parts, lint },
	});
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	const app = new InApp();
	render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: app.wrapper, container: frame });
	fireEvent.click(await screen.findByRole("button", { name: "Plain text" }));
	return app;
}

it("shows every invisible character of the plain text as a code, in the notation of the checks, and keeps lines and emoji", async () => {
	await open("Hi\u200b there \u202eevil\u202c\r\n\tnext\u00a0line ⚠️");
	expect(document.querySelector("pre")?.textContent).toBe("Hi⟨U+200B⟩ there ⟨U+202E⟩evil⟨U+202C⟩\n\tnext⟨U+00A0⟩line ⚠️");
	expect(screen.getByText("Hi⟨U+200B⟩ there")).toBeDefined();
	expect(document.body.textContent).not.toContain("\\u{");
});

it("has a way to the checks and the hash on a phone, which shows one pane at a time, and back", async () => {
	const { pane } = await open("Hi");
	fireEvent.click(screen.getByRole("button", { name: "Checks and bytes" }));
	expect(pane.value).toBe("panel");
	const panel = within(screen.getByRole("complementary", { name: "Checks and bytes" }));
	expect(panel.getByText("bank.com → evil.example")).toBeDefined();
	fireEvent.click(panel.getByRole("button", { name: "Back to the message" }));
	expect(pane.value).toBe("thread");
});

it("names everything that the checks found before a message is sent anyway", async () => {
	await open("Hi");
	fireEvent.click(screen.getByRole("button", { name: "Send anyway…" }));
	const dialog = within(await screen.findByRole("alertdialog"));
	expect(dialog.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
		"Hidden charactersHi⟨U+200B⟩ there",
		"A link hides where it goesbank.com → evil.example",
	]);
});

it("shows the text of a message that can't be built, such as one whose contact was removed, and offers to edit it", async () => {
	const one = occurrence({ delivery: [action({ code: "UNVERIFIED_CLAIM" })] });
	fakeApp({
		plan: plan({ occurrence: one }),
		planOccurrences: { items: [one] },
		contacts: { contacts: [] },
		channels: { channels: [] },
		previewMessage: () => new Refused("RECIPIENT_UNKNOWN", "There is no contact anna."),
	});
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: new InApp().wrapper, container: frame });
	await screen.findByText(/There is no contact anna/);
	expect(document.querySelector("pre")?.textContent).toBe(one.deliverable?.text);
	fireEvent.click(screen.getByRole("button", { name: "Edit" }));
	expect(screen.getByRole("textbox", { name: "The message" })).toHaveProperty("value", one.deliverable?.text);
	expect(document.querySelector("pre")).toBeNull();
});

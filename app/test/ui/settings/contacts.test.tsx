import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ContactsSettings } from "../../../src/ui/settings/contacts-settings.tsx";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { contact } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	untold.set([]);
});

it("asks before it removes a contact, and says what becomes of unsent messages", async () => {
	const calls = fakeApp({ contacts: { contacts: [contact] }, removeContact: {} });
	const removals = () => calls.filter(({ method }) => method === "removeContact").map(({ params }) => params);
	render(
		<div className="frame">
			<ContactsSettings />
		</div>,
		{ wrapper: new InApp().wrapper },
	);
	fireEvent.click(await screen.findByRole("button", { name: "Remove Anna" }));
	const dialog = await screen.findByRole("alertdialog", { name: "Remove Anna?" });
	expect(dialog.textContent).toContain(
		"Messages to Anna are held for your review when they’re due, even if you add Anna again here. To avoid that, choose another recipient in the plans that send to Anna.",
	);
	expect(removals()).toEqual([]);
	fireEvent.click(within(dialog).getByRole("button", { name: "Remove" }));
	await waitFor(() => expect(removals()).toEqual([{ contactId: "anna" }]));
});

it("says of contacts that could not be read that it is contacts that could not be loaded", async () => {
	const error = { code: "INTERNAL", message: "The bridge failed.", fix: "Restart it." };
	vi.stubGlobal("fetch", async () => Response.json({ error }, { status: 500 }));
	render(<ContactsSettings />, { wrapper: new InApp().wrapper });
	expect((await screen.findByRole("alert")).textContent).toContain("The contacts couldn’t be loaded.");
});

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { Plan } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import EditPlanPage from "../../../src/ui/new-plan/edit-plan-page.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { contact, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	location.hash = "";
});

const email = { channel: "email", subject: "Orders" };
const termed = (delivery: readonly object[], change: object = {}): Plan =>
	plan({ terms: { work: [{ description: "Summarise open orders" }], delivery }, ...change });

/** Saves the typed subject of a plan that was changed elsewhere in the meantime, and gives what the page says saving does then. */
async function saved(theirs: Plan): Promise<string> {
	const reads = [termed([email])];
	fakeApp({
		plan: () => reads.pop() ?? theirs,
		channels: { channels: [{ channel: "email", ready: true, settings: {}, secrets: [], owner: "me" }] },
		contacts: { contacts: [contact] },
		planSchedule: { words: "every Wednesday", times: [] },
		updatePlan: () => new Refused("REVISION_CONFLICT", "The plan has another revision."),
	});
	render(<EditPlanPage planId="p1" />, { wrapper: new InApp().wrapper });
	fireEvent.change(await screen.findByRole("textbox", { name: "Subject" }), { target: { value: "Late orders" } });
	fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
	const conflict = await screen.findByRole("region", { name: "Changed elsewhere" });
	return conflict.querySelector(".hint")?.textContent ?? "";
}
const kept = "Saving keeps your changes and uses the other changes for everything else.";

it("names what was changed on both sides, of which saving keeps only the user's version", async () => {
	const theirs = termed([email, { channel: "whatsapp", recipient: "anna" }], { revision: 2, title: "Renamed elsewhere" });
	expect(await saved(theirs)).toBe(
		"You changed “Send to” too. Saving keeps only your version there, and uses the other changes for everything else.",
	);
	// Once the user has taken the subject back, nothing of the other change would be overwritten.
	fireEvent.change(screen.getByRole("textbox", { name: "Subject" }), { target: { value: "Orders" } });
	expect(screen.getByRole("region", { name: "Changed elsewhere" }).textContent).toContain(kept);
});

it.each([
	["another field", termed([email], { revision: 2, title: "Renamed elsewhere" })],
	["the same field to the same value", termed([{ ...email, subject: "Late orders" }], { revision: 2 })],
])("says that the other changes are kept if none is overwritten: %s", async (_, theirs) => {
	expect(await saved(theirs)).toBe(kept);
});

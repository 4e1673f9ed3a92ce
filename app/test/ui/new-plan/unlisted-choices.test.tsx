import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import EditPlanPage from "../../../src/ui/new-plan/edit-plan-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, contact, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** Opens the form of a plan, and gives one of its choices. */
async function choiceOf(field: string, more: object, contacts: object = { contacts: [contact] }): Promise<HTMLSelectElement> {
	fakeApp({
		plan: plan({ delivery: [action({ channel: "email", recipient: "anna" })], ...more }),
		channels: { channels: ["dashboard", "whatsapp"].map((channel) => ({ channel, ready: true, settings: {}, secrets: [] })) },
		contacts,
		planSchedule: { words: "every Wednesday", times: [] },
	});
	render(<EditPlanPage planId="p1" />, { wrapper: new InApp().wrapper });
	return screen.findByLabelText(field);
}

/** Opens the form of a plan, and gives what it shows as chosen in one of its fields. */
async function chosen(...scene: Parameters<typeof choiceOf>) {
	const box = await choiceOf(...scene);
	return () => box.selectedOptions[0]?.textContent;
}

it("goes on offering a recipient who is not in your contacts once you have chosen another one, but not in another channel", async () => {
	const box = await choiceOf("Recipient", {}, { contacts: [] });
	await vi.waitFor(() => expect(box.selectedOptions[0]?.textContent).toBe("anna (not in your contacts)"));
	fireEvent.change(box, { target: { value: "" } });
	expect(box.value).toBe("");
	fireEvent.change(box, { target: { value: "anna" } });
	expect(box.selectedOptions[0]?.textContent).toBe("anna (not in your contacts)");
	fireEvent.change(screen.getByLabelText("Channel"), { target: { value: "whatsapp" } });
	const options = [...((await screen.findByLabelText("Recipient")) as HTMLSelectElement).options];
	expect(options.map(({ value }) => value)).toEqual([""]);
});

it.each<[string, object, string]>([
	["removed", { contacts: [] }, "anna (not in your contacts)"],
	["without an address", { contacts: [{ ...contact, addresses: {} }] }, "Anna (no address for Email)"],
	["not read yet", new Promise(() => undefined), "anna"],
])("never shows you as the recipient of a plan that names a contact: %s", async (_, contacts, said) => {
	const shown = await chosen("Recipient", {}, contacts);
	await vi.waitFor(() => expect(shown()).toBe(said));
});

it("names the channel of a message although the bridge does not list it", async () => {
	expect((await chosen("Channel", {}))()).toBe("Email");
});

it.each([
	[86_400_000, "Run once if up to 24 hours late"],
	[5_400_000, "Run once if up to 1 hour 30 minutes late"],
	[0, "Ask me"],
	[undefined, "As set in Settings: Catch-up time limit"],
])("says how late a plan still runs: %s ms", async (catchUp, said) => {
	expect((await chosen("If a time is missed", { catchUp }))()).toBe(said);
});

import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, contact, occurrence, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const sent = { status: "completed", code: undefined, completedAt: AT };
const discord = action({ ...sent, channel: "discord", recipient: undefined, actionId: "p1-1-2" });

/** The blocks of an occurrence with these messages, by heading, once `heading` is among them: names of contacts come later. */
async function blocks(change: object, heading?: string): Promise<ReadonlyMap<string | null | undefined, string | null>> {
	const one = occurrence({ status: "completed", ...change });
	fakeApp({
		plan: plan({ status: "completed", needsReview: 0, delivery: one.delivery, occurrence: one }),
		planOccurrences: { items: [one] },
		contacts: { contacts: [contact] },
		channels: { channels: [] },
	});
	render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
	const region = await screen.findByRole("region", { name: /:00/ });
	if (heading !== undefined) await within(region).findByRole("heading", { name: heading });
	const headings = within(region).getAllByRole("heading", { level: 3 });
	return new Map(headings.map((heading) => [heading.textContent, heading.parentElement?.textContent ?? ""]));
}
const written = { text: "Shorter.", sha256: "0".repeat(64), source: "person" };

it("shows the text that each message was sent with, if another was written after some had been sent", async () => {
	const shown = await blocks({ delivery: [action({ ...sent, content: "As it was." }), discord], deliverable: written });
	expect([...shown.keys()]).toEqual(["Delivery", "Message: Email", "Message: Discord", "Work"]);
	expect(shown.get("Message: Email")).toContain("As it was.10 characters");
	expect(shown.get("Message: Email")).not.toContain("Written by you");
	expect(shown.get("Message: Discord")).toContain("Shorter.Written by you8 characters");
});

it("shows a text once that all messages were sent with, and none that no message has", async () => {
	const one = await blocks({ delivery: [action({ ...sent, content: "Shorter." }), discord], deliverable: written });
	expect(one.get("Message")).toContain("Shorter.Written by you");
	cleanup();
	const own = await blocks({ delivery: [action({ ...sent, content: "As it was." })], deliverable: written });
	expect(own.get("Message")).toContain("As it was.");
	expect([...own.values()].join()).not.toContain("Shorter.");
});

it("says that the rest of the answer stays in the thread only if the message is from the agent's answer", async () => {
	const said = "Only the message is sent. The rest of the agent’s answer stays in the thread.";
	expect((await blocks({ delivery: [discord] })).get("Work")).toContain(said);
	cleanup();
	expect((await blocks({ delivery: [discord], deliverable: written })).get("Work")).not.toContain("stays in the thread");
});

it("names the recipients of texts that share a channel, and not those of other texts", async () => {
	const anna = action({ ...sent, content: "As it was.", actionId: "p1-1-3" });
	const me = action({ ...sent, recipient: undefined });
	const shown = await blocks({ delivery: [anna, me], deliverable: written }, "Message: Email to Anna");
	expect([...shown.keys()].slice(1, 3)).toEqual(["Message: Email to Anna", "Message: Email to you"]);
	cleanup();
	const three = await blocks({ delivery: [anna, me, { ...discord, content: "Briefly." }], deliverable: written }, "Message: Email to Anna");
	expect([...three.keys()].slice(1, 4)).toEqual(["Message: Email to Anna", "Message: Email to you", "Message: Discord"]);
});

it("keeps showing the text that a message was sent with while the work runs again for another", async () => {
	const waits = { ...discord, status: "pending", completedAt: undefined };
	const shown = await blocks({
		status: "running",
		delivery: [action({ ...sent, content: "As it was.", workedBy: "r1" }), waits],
		deliverable: undefined,
	});
	expect(shown.get("Message: Email")).toContain("As it was.");
	expect([...shown.keys()]).toEqual(["Delivery", "Message: Email", "Work"]);
});

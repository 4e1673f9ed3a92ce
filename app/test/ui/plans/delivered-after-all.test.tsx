import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { stagesOf } from "../../../src/ui/plan/plan-stages.ts";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, contact, occurrence, plan, preview } from "../plan-stories.ts";

const report = "The channel reports that the message was delivered after all.";
const change = { status: "failed", code: "NOT_SENT", settledBy: "person", proof: "delivered", later: [{ at: AT, message: report }] };
const after = action({ channel: "whatsapp", attempts: 1, fix: "Send the message again later.", ...change });
const refused = action({ actionId: "p1-1-2", status: "failed", code: "RECIPIENT_REFUSED" });
const failed = (...delivery: readonly object[]) => occurrence({ status: "failed", code: "DELIVERY_FAILED", delivery });

afterEach(() => {
	cleanup();
	for (const frame of document.querySelectorAll(".frame")) frame.remove();
	vi.unstubAllGlobals();
});

function open(one: ReturnType<typeof occurrence>, Page: () => React.ReactNode) {
	fakeApp({
		plan: plan({ status: "failed", needsReview: 0, delivery: one.delivery, occurrence: one }),
		planOccurrences: { items: [one] },
		contacts: { contacts: [contact] },
		channels: { channels: [] },
		previewMessage: preview,
	});
	// Dialogs open within the frame.
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	return render(<Page />, { wrapper: new InApp().wrapper, container: frame });
}

describe("a message that was recorded as not sent and delivered after all", () => {
	it("is shown as delivered on the plan's page, with the report, and nothing there says that it was not sent", async () => {
		const { container } = open(failed(after), () => <PlanPage planId="p1" hasHistory />);
		const region = await screen.findByRole("region", { name: /:00/ });
		expect(region.textContent).toContain(report);
		expect(region.textContent).toContain("You recorded it as not sent.");
		expect(region.textContent).toContain("Delivered");
		expect(region.querySelector("header")?.textContent).toContain("Completed");
		expect(container.querySelector(".chip")?.textContent).toContain("Completed");
		expect(screen.getByRole("complementary", { name: "History" }).textContent).toContain("WhatsApp delivered");
		expect(container.textContent?.replace("You recorded it as not sent.", "")).not.toMatch(/Not sent|Failed|Send the message again/);
		const states = stagesOf(failed(after)).map(({ name, state }) => `${name}:${state}`);
		expect(states.slice(-2)).toEqual(["send:done", "confirm:done"]);
	});

	it("leaves what is said of one beside it that was not delivered", async () => {
		const { container } = open(failed(after, refused), () => <PlanPage planId="p1" hasHistory={false} />);
		const region = await screen.findByRole("region", { name: /:00/ });
		expect(region.querySelector("header")?.textContent).toContain("Partly sent");
		expect(container.querySelector(".chip")?.textContent).toContain("Failed");
		expect(region.textContent).toContain("Couldn’t be delivered to the recipient");
		expect(stagesOf(failed(after, refused)).find(({ name }) => name === "send")?.state).toBe("bad");
	});

	it("is shown with the report where it is reviewed, and sent again only after a tick", async () => {
		const { container } = open(failed(after), () => <ReviewPage planId="p1" occurrenceId="p1-1" />);
		expect((await screen.findByRole("heading", { name: new RegExp(report) })).tagName).toBe("H2");
		expect(container.querySelector(".held")?.textContent).not.toMatch(/Not sent|Send the message again/);
		fireEvent.click(await screen.findByRole("button", { name: "Send again…" }));
		const again = await screen.findByRole("dialog", { name: "Send this again?" });
		expect(within(again).getByRole("button", { name: "Send again" })).toHaveProperty("disabled", true);
		fireEvent.click(within(again).getByRole("checkbox"));
		expect(within(again).getByRole("button", { name: "Send again" })).toHaveProperty("disabled", false);
	});
});

import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import ReviewPage from "../../../src/ui/review/review-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, occurrence, plan, preview } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

it.each([
	[{}, "not sent yet"],
	[{ status: "pending", code: undefined }, "not sent yet"],
	[{ status: "failed", code: "DISCARDED" }, "not sent"],
	[{ status: "unknown", code: "NO_ANSWER", stage: "handing_over" }, undefined],
	[{ status: "failed", code: "NOT_SENT", mayHaveBeenSent: true }, undefined],
	[{ status: "needs_review", code: "STORE_RESTORED" }, undefined],
	[{ status: "failed", code: "DISCARDED", heldFor: ["STORE_RESTORED"] }, undefined],
	[{ status: "completed", code: undefined }, undefined],
	[{ status: "completed", code: undefined, payloadHash: "a".repeat(64) }, "not sent"],
])("a chat message says that it was not sent exactly if that is known: %j", async (change, mark) => {
	const one = occurrence({ delivery: [action({ channel: "whatsapp", ...change })] });
	fakeApp({
		plan: plan({ delivery: one.delivery, occurrence: one }),
		planOccurrences: { items: [one] },
		contacts: { contacts: [] },
		channels: { channels: [] },
		previewMessage: { ...preview, parts: [preview.parts[1]] },
	});
	const { container } = render(<ReviewPage planId="p1" occurrenceId="p1-1" />, { wrapper: new InApp().wrapper });
	await screen.findByText("Two of 31 open orders are late.", undefined, { timeout: 5_000 });
	expect(container.querySelector(".bubble .at")?.textContent).toBe(mark);
});

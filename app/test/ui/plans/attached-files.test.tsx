import { cleanup, render, screen } from "@testing-library/react";
import type { Occurrence } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { action, occurrence, plan, preview } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const sha256 = "b".repeat(64);
const files = [
	{ kind: "file", mediaType: "application/pdf", name: "report.pdf", bytes: 2_100_000, sha256 },
	{ kind: "file", mediaType: "text/csv", name: "orders.csv", bytes: 3_000, sha256 },
];

function show(one: Occurrence, previewMessage: unknown) {
	const shown = plan({ status: "completed", needsReview: 0, occurrence: one, delivery: one.delivery });
	const places = { channels: { channels: [] }, contacts: { contacts: [] } };
	fakeApp({ plan: shown, planOccurrences: { items: [one] }, previewMessage, ...places });
	render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
}

const sent = occurrence({
	status: "completed",
	delivery: [action({ status: "completed", code: undefined, payloadHash: sha256, attach: true })],
});

it("a plan's page names the files that went with a message, with their sizes", async () => {
	show(sent, { ...preview, parts: [...preview.parts, ...files] });
	expect(await screen.findByText("Files: report.pdf (2.1 MB), orders.csv (3 kB)")).toBeTruthy();
});

it("a plan's page says that the files of a message are gone", async () => {
	show(sent, new Refused("RUN_EXPIRED", "The run has been removed."));
	expect(await screen.findByText("Its files are no longer available.")).toBeTruthy();
});

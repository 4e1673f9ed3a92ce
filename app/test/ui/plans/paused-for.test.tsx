import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const WHY = "Paused because the data folder was restored from a backup.";

it.each([
	["says why XWorkmate paused it", { status: "paused", pausedFor: "STORE_RESTORED" }, true],
	["gives no reason for a pause of the user's", { status: "paused" }, false],
	["gives none once it is no longer paused", { status: "pending", pausedFor: "STORE_RESTORED" }, false],
] as const)("the page of a plan %s", async (_what, change, isSaid) => {
	const made = plan(change);
	fakeApp({ plan: made, planOccurrences: { items: [] }, channels: { channels: [] }, contacts: { contacts: [] } });
	render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp().wrapper });
	await screen.findByText("When");
	expect(screen.queryByText(WHY) !== null).toBe(isSaid);
});

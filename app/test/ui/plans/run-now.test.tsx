import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { occurrence, plan } from "../plan-stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	sessionStorage.clear();
});

it("a plan runs once for each press of Run now, also for a double click, or a press before its due time is shown", async () => {
	let newest = occurrence();
	const calls = fakeApp({
		plan: () => plan({ occurrence: newest }),
		planOccurrences: () => ({ items: [newest] }),
		channels: { channels: [] },
		contacts: { contacts: [] },
		runPlan: newest,
	});
	const here = new InApp();
	render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: here.wrapper });
	const button = await screen.findByRole("button", { name: "Run now" });
	const ids = () => calls.filter(({ method }) => method === "runPlan").map(({ params }) => params.requestId);
	fireEvent.click(button, { detail: 1 });
	fireEvent.click(button, { detail: 2 });
	await waitFor(() => expect(ids()).toHaveLength(1));
	fireEvent.click(button, { detail: 1 });
	await waitFor(() => expect(ids()).toHaveLength(2));
	expect(new Set(ids()).size).toBe(1);
	newest = occurrence({ occurrenceId: "p1-2" });
	const { planNews } = here.appLink;
	planNews.set({ count: planNews.value.count + 1, of: { ...planNews.value.of, p1: 1 } });
	await waitFor(() => expect(document.getElementById("p1-2")).toBeTruthy());
	fireEvent.click(button, { detail: 1 });
	await waitFor(() => expect(new Set(ids()).size).toBe(2));
});

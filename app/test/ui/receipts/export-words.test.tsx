import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import ReceiptsPage from "../../../src/ui/receipts/receipts-page.tsx";
import type { ReceiptFilter } from "../../../src/ui/state/route.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

it.each<readonly [ReceiptFilter, string, string]>([
	[{}, "Export all", ""],
	[{ type: "tool.call.denied", days: "1" }, "Export all", ""],
	[{ type: "tool.call.denied", runId: "run1" }, "Export this run", "?runId=run1"],
	[{ planId: "plan1" }, "Export this plan", "?planId=plan1"],
])("the export of a list filtered by %o says what it contains", async (filter, name, query) => {
	fakeApp({ tasks: { items: [] }, listPlans: { items: [] }, listReceipts: { items: [] } });
	render(<ReceiptsPage filter={filter} />, { wrapper: new InApp().wrapper });
	expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(`/receipts.ndjson${query}`);
	await screen.findByText(/^No receipts/);
});

import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import ReceiptsPage from "../../../src/ui/receipts/receipts-page.tsx";
import { trailOf } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

it("says that the tools to choose from are those of the receipts that are listed", async () => {
	fakeApp({ tasks: { items: [] }, listReceipts: { items: trailOf("call-1", 1), nextCursor: "older" }, listPlans: { items: [] } });
	render(<ReceiptsPage filter={{}} />, { wrapper: new InApp().wrapper });
	await screen.findByRole("button", { name: "Show older receipts" });
	const tool = screen.getByRole("combobox", { name: "Tool" });
	const listed = within(tool).getByRole("group", { name: "Tools in the receipts listed here" });
	expect(within(listed).getAllByRole("option")).toHaveLength(1);
	// The other filters offer everything that there is.
	for (const name of ["Event", "Time"]) expect(within(screen.getByRole("combobox", { name })).queryByRole("group")).toBeNull();
});

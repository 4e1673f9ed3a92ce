import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { Integration } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import { untold } from "../../../src/ui/state/toasts.ts";
import ToolsPage from "../../../src/ui/tools/tools-page.tsx";
import { failedIntegration, integration, newIntegration } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	untold.set([]);
});

/** What is said after a press of the button with this name. */
async function told(answers: object, button: string) {
	fakeApp({ listTools: { integrations: [] }, ...answers });
	render(<ToolsPage />, { wrapper: new InApp().wrapper });
	fireEvent.click(await screen.findByRole("button", { name: button }));
	await waitFor(() => expect(untold.value).toHaveLength(1));
	return untold.value[0]?.text;
}

it.each([
	["active", "Added github. From now on, it follows your rules."],
	["unaccepted", "Added github. Calls that no rule denies need your approval until you accept it."],
	["failed", "Added github, but it failed to load."],
])("says of an integration that was added how it has loaded: %s", async (state, said) => {
	expect(await told({ addTools: { ...integration("github"), state } }, "Add github example")).toBe(said);
});

it.each<readonly [string, readonly Integration[], string]>([
	["all of them", [failedIntegration], "1 integration failed to load."],
	[
		"one of them",
		[integration("calendar"), newIntegration, failedIntegration],
		"Reloaded 2 integrations. 1 to review. 1 integration failed to load.",
	],
	["none", [], "Reloaded 0 integrations."],
])("counts no integration as reloaded that failed to load: %s", async (_, integrations, said) => {
	expect(await told({ reloadTools: { integrations } }, "Reload")).toBe(said);
});

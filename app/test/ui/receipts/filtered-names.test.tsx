import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import ReceiptsPage from "../../../src/ui/receipts/receipts-page.tsx";
import { verification } from "../../../src/ui/receipts/verification.ts";
import { receipt } from "../action-stories.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

beforeEach(() => verification.set({}));
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const of = { origin: "reported", toolCallId: "call-1", toolId: "codex:execute", risk: "destructive" };
const asked = receipt(1, "requested", { ...of, words: "npm test", input: { text: '{"command":"rm -rf build"}', truncated: false } });
const denied = receipt(2, "denied", { ...of, decision: { by: "person", decision: "deny", reason: "person" } });

it.each([
	["as in the whole list", { receipt: denied, trail: [asked, denied] }, "rm -rf buildcodex:executeThe agent calls it: npm test"],
	["by its tool if its other receipts can't be read", new Refused("INTERNAL", "Something broke."), "codex:executecodex:execute"],
])("a list of denials names a call %s", async (_, answer, name) => {
	fakeApp({
		...{ tasks: () => ({ items: [] }), listPlans: () => ({ items: [] }) },
		...{ listReceipts: () => ({ items: [denied] }), receipt: () => answer },
	});
	render(<ReceiptsPage filter={{ type: "tool.call.denied" }} />, { wrapper: new InApp(appState).wrapper });
	const row = (await screen.findByText("Denied", { selector: ".rc .st" })).closest(".rc");
	expect([row?.querySelector(".what")?.textContent, row?.querySelector(".n")?.textContent]).toEqual([name, "2"]);
});

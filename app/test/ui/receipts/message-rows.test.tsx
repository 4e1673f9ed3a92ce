import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import ReceiptsPage from "../../../src/ui/receipts/receipts-page.tsx";
import { receipt } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** A receipt of the message `actionId` of a plan. */
function message(n: number, type: string, actionId: string, detail: object) {
	const ofPlan = { receiptId: `plan1.${n}`, runId: undefined, planId: "plan1", toolCallId: undefined, toolId: undefined, risk: undefined };
	return receipt(n, "succeeded", { ...ofPlan, type, detail: { actionId, ...detail } });
}

it("messages are told apart by their channels and recipients, and a settled one says what was recorded", async () => {
	const settled = { channel: "whatsapp", recipient: "anna", by: "person" };
	const items = [
		message(7, "delivery.settled", "a5", { ...settled, decision: "not_sent" }),
		message(6, "delivery.unknown", "a5", { channel: "whatsapp", recipient: "anna" }),
		message(5, "delivery.settled", "a4", { ...settled, decision: "sent" }),
		message(4, "delivery.failed", "a3", { channel: "email", code: "WORK_FAILED" }),
		message(2, "delivery.succeeded", "a2", { channel: "dashboard" }),
		message(1, "delivery.succeeded", "a1", { channel: "email", recipient: "anna" }),
	];
	fakeApp({ tasks: { items: [] }, listPlans: { items: [{ planId: "plan1", title: "News" }] }, listReceipts: { items } });
	render(<ReceiptsPage filter={{}} />, { wrapper: new InApp().wrapper });
	await screen.findByRole("link", { name: "News" });
	const said = [...document.querySelectorAll(".rc")].map((row) => [
		row.querySelector(".st")?.textContent,
		row.querySelector(".what")?.firstChild?.textContent,
		row.querySelector(".what .sub")?.textContent,
	]);
	expect(said).toEqual([
		["Outcome recorded", "WhatsApp to anna", "You recorded that it never arrived"],
		["Outcome recorded", "WhatsApp to anna", "You recorded that it arrived"],
		["Message not sent", "Email to you", "The work failed"],
		["Message sent", "Inbox", ""],
		["Message sent", "Email to anna", ""],
	]);
	expect(screen.getByText("Every tool call and every message of a plan: what happened, and who decided")).toBeDefined();
});

import { cleanup, render, screen } from "@testing-library/react";
import type { Receipt } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import { CallPanel } from "../../../src/ui/receipts/call-panel.tsx";
import { groupReceipts } from "../../../src/ui/receipts/receipt-groups.ts";
import { ReceiptList } from "../../../src/ui/receipts/receipt-list.tsx";
import { receipt, trailOf } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const of = { origin: "reported", toolCallId: "call-1", toolId: "codex:execute", risk: "destructive" };
const requested = receipt(1, "requested", { ...of, words: "Remove the folder" });
const outcome = { attempt: 1, durationMs: 0 };
const decision = { approvalId: "ask1", by: "person", decision: "deny" };
const denied = (n: number) => receipt(n, "denied", { ...of, decision });
/** An attempt to answer by someone without permission. XWorkmate is its origin, whoever makes the call. */
const refused = (n: number) => receipt(n, "requested", { ...of, origin: "executed", type: "approval.actor_refused" });

function row(...inOrder: readonly Receipt[]) {
	const still = { tasks: new Map(), verified: undefined, byType: false, call: undefined, open: () => undefined };
	render(<ReceiptList runs={groupReceipts(inOrder.toReversed())} {...still} whereOf={() => null} agentOf={() => "Codex"} />);
	return screen.getByRole("button");
}

it.each([
	["done", [receipt(2, "succeeded", { ...of, outcome }), denied(3)], "Reported as done"],
	["failed", [receipt(2, "failed", { ...of, outcome: { ...outcome, code: "TOOL_FAILED" } }), denied(3)], "Reported as failed"],
	["done, with a stranger's attempt to answer", [receipt(2, "succeeded", { ...of, outcome }), refused(3)], "Reported as done"],
	["nothing, because it was denied in time", [denied(2), refused(3)], "Denied"],
])("a late answer doesn't change how the list says that a call ended: reported as %s", (_, after, word) => {
	expect(row(requested, ...after).querySelector(".st")?.textContent).toBe(word);
});

it("a stranger's attempt to answer doesn't make an agent's call one of XWorkmate's", () => {
	expect(row(requested, refused(2)).querySelector(".risk")).toBeNull();
	cleanup();
	expect(row(...trailOf("call-1", 1)).querySelector(".risk")).not.toBeNull();
});

const [asked, allowed, started, succeeded] = trailOf("call-1", 1) as [Receipt, Receipt, Receipt, Receipt];

it.each([
	["done", [asked, allowed, started, succeeded], "Executed by XWorkmate in"],
	["only requested", [asked], "Called through XWorkmate in"],
	["denied", [asked, receipt(2, "denied", { decision })], "Called through XWorkmate in"],
	["an agent's, after a stranger's attempt to answer", [requested, refused(2)], "Reported by the agent in"],
	["none, but the check of an answer", [receipt(1, "answer.checked", { toolCallId: undefined })], "Recorded by XWorkmate in"],
])("is said to be executed only if it was started: a call that is %s", async (_, trail, words) => {
	const last = trail.at(-1);
	fakeApp({ receipt: { receipt: last, trail } });
	render(<CallPanel call={last?.receiptId ?? ""} whereOf={() => <b>here</b>} close={() => undefined} />, { wrapper: new InApp().wrapper });
	expect((await screen.findByText("here")).parentElement?.textContent).toBe(`${words} here`);
});

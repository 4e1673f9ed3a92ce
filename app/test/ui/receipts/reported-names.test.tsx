import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { titleBeside } from "../../../src/text/calls/asked-view.ts";
import { CallPanel } from "../../../src/ui/receipts/call-panel.tsx";
import { groupReceipts } from "../../../src/ui/receipts/receipt-groups.ts";
import { ReceiptList } from "../../../src/ui/receipts/receipt-list.tsx";
import { receipt } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const preview = (text: string) => ({ text, truncated: false });
const of = { origin: "reported", toolCallId: "call-1", toolId: "codex:execute", risk: "destructive" };
const asked = (input?: string) =>
	receipt(1, "requested", { ...of, words: "Read file", ...(input !== undefined && { input: preview(input) }) });
const ended = receipt(2, "succeeded", { ...of, outcome: { attempt: 1, durationMs: 0 } });

const shown = (receipts: Parameters<typeof groupReceipts>[0], byType = false) => {
	const still = { tasks: new Map(), verified: undefined, byType, call: undefined, open: () => undefined };
	render(<ReceiptList runs={groupReceipts(receipts)} {...still} whereOf={() => null} agentOf={() => "Codex"} />);
	return screen.getByRole("button");
};
const row = (...receipts: Parameters<typeof groupReceipts>[0]) => shown(receipts).querySelector(".what")?.textContent;

it("a call that an agent reports is named by its command, and the agent's title is said to be the agent's", () => {
	expect(row(ended, asked('{"command":"rm -rf build"}'))).toBe("rm -rf buildcodex:executeThe agent calls it: Read file");
});

it("a title is said to be in the agent's words if nothing else is known of the call", () => {
	expect(row(ended, asked())).toBe("Read filecodex:executeAs the agent calls it");
});

it("a title that the bridge made for a call without one is not said to be the agent's", () => {
	const unnamed = (input?: string) => ({ ...asked(input), words: "Tool call (notes.md)" });
	expect(row(ended, unnamed())).toBe("Tool call (notes.md)codex:execute");
	cleanup();
	expect(row(ended, unnamed('{"command":"rm -rf build"}'))).toBe("rm -rf buildcodex:execute");
	expect(titleBeside({ title: "Tool call", toolKind: "execute", input: preview('{"command":"rm -rf build"}') })).toBeUndefined();
});

it("what was asked about is not said to be the agent's title if the list lacks the first receipt of the call", () => {
	const decision = { by: "person", decision: "allow_once" };
	const allowed = receipt(2, "approved", { ...of, words: "wc -w notes.txt", decision });
	expect(row(receipt(3, "started", { ...of, input: preview('{"command":"rm x"}') }), allowed)).toBe("rm xcodex:execute");
	cleanup();
	expect(row(allowed)).toBe("wc -w notes.txtcodex:execute");
});

it("a call without a result is not said to wait, or to have started, unless a receipt says so", () => {
	const word = (...receipts: Parameters<typeof groupReceipts>[0]) => {
		cleanup();
		return shown(receipts).querySelector(".st")?.textContent;
	};
	const allowed = receipt(2, "approved", { ...of, decision: { by: "person", decision: "allow_once" } });
	expect([word(asked()), word(allowed, asked())]).toEqual(["Requested", "Allowed"]);
	expect(word(receipt(3, "started", of), allowed, asked())).toBe("Started, not finished");
	const begun = receipt(2, "started", of);
	const allowedLate = (n: number) => receipt(n, "approved", { ...of, decision: { by: "person", decision: "allow_once" } });
	expect(word(allowedLate(4), allowedLate(3), begun, asked())).toBe("Started, not finished");
	expect(word(receipt(4, "succeeded", { ...of, outcome: ended.outcome }), allowedLate(3), begun, asked())).toBe("Reported as done");
});

it("a call that the bridge executed keeps the words of its tool", () => {
	const own = { origin: "executed", toolId: "calendar.events.create", risk: "write" };
	expect(row(receipt(1, "requested", { ...own, words: "Create “Dentist”", input: preview('{"command":"x"}') }))).not.toContain("agent");
});

it("a reported call that is opened has the same name", async () => {
	const trail = [asked('{"command":"rm -rf build"}'), ended];
	fakeApp({ receipt: { receipt: ended, trail } });
	render(<CallPanel call="run1.2" whereOf={() => null} close={() => undefined} />, { wrapper: new InApp().wrapper });
	expect((await screen.findByText("rm -rf build")).className).toBe("ask-say");
	expect(screen.getByText("The agent calls it: Read file")).toBeTruthy();
});

it.each([
	[
		"something else than was allowed",
		{ unpermitted: "another", allowed: "ls", reported: "rm -rf build" },
		"Reported something else",
		"but not as allowed: allowed “ls”, reported “rm -rf build”",
	],
	[
		"what its file contradicts",
		{ contradiction: "untouched", file: "a.md" },
		"Not as reported",
		"but the file had not changed · file: a.md",
	],
	[
		"the command of a denied call",
		{ unpermitted: "denied", deniedCommand: "rm -rf build" },
		"Contains what was denied",
		"although “rm -rf build” was denied",
	],
	["nothing else", { contradiction: "none" }, "Reported as done", ""],
	["a failure", { unpermitted: "denied" }, "Reported as failed", "although it was denied", "failed"],
])("the receipts of a reported call say in words that it is only reported: %s", async (_, detail, word, words, type = "succeeded") => {
	const last = receipt(3, type, { ...of, outcome: { attempt: 1, durationMs: 0 }, detail });
	const trail = [asked('{"command":"rm -rf build"}'), last];
	fakeApp({ receipt: { receipt: last, trail } });
	render(<CallPanel call="run1.3" whereOf={() => null} close={() => undefined} />, { wrapper: new InApp().wrapper });
	const step = (await screen.findAllByRole("listitem")).at(-1);
	expect([step?.querySelector("b")?.textContent, step?.querySelector(".d")?.textContent ?? ""]).toEqual([word, words]);
});

it.each([
	["run_ended", "No answer"],
	["expired", "No answer"],
	["policy", "Denied"],
	[undefined, "Denied"],
])("a request that was denied for the reason %s reads %s, also in a list of denials", (reason, word) => {
	const denied = receipt(2, "denied", { ...of, decision: { by: "bridge", decision: "deny", ...(reason && { reason }) } });
	for (const byType of [false, true]) {
		expect(shown([denied], byType).querySelector(".st")?.textContent).toBe(word);
		cleanup();
	}
});

import { cleanup, render, screen } from "@testing-library/react";
import { RunId, type Verification } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import { ProofBar } from "../../../src/ui/receipts/proof-bar.tsx";
import { savedDigits, verification, verify } from "../../../src/ui/receipts/verification.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	verification.set({});
	vi.unstubAllGlobals();
});

it("a result that is days old, and the comparison with it, have their day", () => {
	const checkedAt = new Date(2024, 10, 12, 9, 31).toISOString();
	const result: Verification = { ok: true, runs: 1, receipts: 6, independence: "head_matched", problems: [] };
	const compared = { digits: "c81f20a96b3e", isFound: true, isSearched: true, isIntact: true };
	verification.set({ verified: { checkedAt, tookMs: 1_000, result, compared } });
	render(<ProofBar titleOf={(id) => id} />, { wrapper: new InApp().wrapper });
	const cards = [...document.querySelectorAll(".proof")].map(({ textContent }) => textContent);
	expect(cards).toEqual([
		expect.stringMatching(/your saved hash matches.*Checked in 1 s, 12 Nov 2024 09:31/),
		expect.stringMatching(/^Intact\..*Checked in 1 s, 12 Nov 2024 09:31/),
	]);
	expect(screen.queryAllByText(/Checked .*, 09:31/)).toEqual([]);
});

it.each([
	["whose end isn't sealed", { code: "UNSEALED", runId: RunId.parse("run-1"), message: "" }, false],
	["that could not be compared with the ledger", { code: "LEDGER_UNREADABLE", message: "" }, false],
	["without the saved hash", { code: "FORGED", message: "" }, false],
	["that were replaced", { code: "FORGED", runId: RunId.parse("run-1"), message: "" }, true],
	["that were cut off", { code: "CUT", runId: RunId.parse("run-1"), n: 3, message: "" }, true],
] as const)("calls the receipts unreliable only if a problem says so: receipts %s", (_, problem, isUnreliable) => {
	const sealing = { code: "UNSEALED", runId: RunId.parse("run-2"), message: "" } as const;
	const result: Verification = { ok: false, runs: 2, receipts: 6, independence: "self_attested", problems: [problem, sealing] };
	verification.set({ verified: { checkedAt: new Date().toISOString(), tookMs: 1_000, result } });
	render(<ProofBar titleOf={(id) => id} />, { wrapper: new InApp().wrapper });
	expect(screen.getByRole("alert").textContent?.includes("Export them now")).toBe(isUnreliable);
});

it("a run with no receipt left has lost all of them, not those after 0", () => {
	const cut = { code: "CUT", runId: RunId.parse("run-1"), message: "" } as const;
	const result: Verification = {
		...{ ok: false, runs: 2, receipts: 3, independence: "self_attested" },
		problems: [
			{ ...cut, n: 0 },
			{ ...cut, runId: RunId.parse("run-2"), n: 3 },
		],
	};
	verification.set({ verified: { checkedAt: new Date().toISOString(), tookMs: 1_000, result } });
	render(<ProofBar titleOf={(id) => id} />, { wrapper: new InApp().wrapper });
	expect([...document.querySelectorAll(".proof.bad .nm")].map(({ textContent }) => textContent)).toEqual([
		"All receipts of this run were cut off",
		"Receipts after 3 were cut off",
	]);
});

it("says that a saved hash couldn't be looked for in a ledger that can't be read, and claims no check against it", async () => {
	const unread: Verification = {
		...{ ok: false, runs: 1, receipts: 6, independence: "self_attested" },
		problems: [{ code: "LEDGER_UNREADABLE", message: "" }],
	};
	fakeApp({ listReceipts: { items: [] }, verifyReceipts: unread });
	await verify(savedDigits("c81f 20a9 6b3e"));
	render(<ProofBar titleOf={(id) => id} />, { wrapper: new InApp().wrapper });
	const [comparison, result] = [...document.querySelectorAll(".proof")].map(({ textContent }) => textContent);
	expect(comparison).toMatch(
		/^The ledger couldn’t be searched for your saved hash\. No receipt here has a hash that begins with c81f 20a9 6b3e/,
	);
	expect(result).toContain("The ledger can’t be read");
	expect(document.body.textContent).not.toMatch(/doesn’t match|Nothing here has|own ledger/);
});

import { cleanup, render, screen } from "@testing-library/react";
import { RunId, type Verification } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { ProofBar } from "../../../src/ui/receipts/proof-bar.tsx";
import { verification } from "../../../src/ui/receipts/verification.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	verification.set({});
});

it("a result that is days old, and the comparison with it, have their day", () => {
	const checkedAt = new Date(2024, 10, 12, 9, 31).toISOString();
	const result: Verification = { ok: true, runs: 1, receipts: 6, independence: "head_matched", problems: [] };
	const compared = { digits: "c81f20a96b3e", isFound: true, isIntact: true };
	verification.set({ verified: { checkedAt, tookMs: 1_000, result, compared } });
	render(<ProofBar titleOf={(id) => id} />, { wrapper: new InApp().wrapper });
	const cards = [...document.querySelectorAll(".proof")].map(({ textContent }) => textContent);
	expect(cards).toEqual([
		expect.stringMatching(/your saved hash matches.*Checked at 12 Nov 2024 09:31 in 1 s/),
		expect.stringMatching(/^Intact\..*Checked at 12 Nov 2024 09:31 in 1 s/),
	]);
	expect(screen.queryAllByText(/Checked at 09:31/)).toEqual([]);
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

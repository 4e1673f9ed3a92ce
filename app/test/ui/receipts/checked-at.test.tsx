import { cleanup, render, screen } from "@testing-library/react";
import type { Verification } from "@xworkmate/contracts";
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

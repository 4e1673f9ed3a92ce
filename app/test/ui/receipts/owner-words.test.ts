import { expect, it } from "vitest";
import { fill } from "../../../src/strings/interface.ts";
import { chainWords, receiptsPageWords as words } from "../../../src/strings/receipts/receipts-page-words.ts";

it("calls a plan a plan, whatever is wrong with its receipts", () => {
	for (const { title, meaning } of Object.values(chainWords)) {
		expect(fill(`${title}. ${meaning}`, { n: 1, owner: words.planOwner })).not.toMatch(/\bruns?\b/i);
	}
	// A saved hash may be one of a plan, of the ledger, or of an early receipt of a longer run.
	expect(words.matchedSay).not.toMatch(/\brun\b/i);
});

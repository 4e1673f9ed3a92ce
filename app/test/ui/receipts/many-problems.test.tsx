import { cleanup, render, screen } from "@testing-library/react";
import { Timestamp, Verification } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { ProofBar } from "../../../src/ui/receipts/proof-bar.tsx";
import { chainState } from "../../../src/ui/receipts/receipt-groups.ts";
import { verification } from "../../../src/ui/receipts/verification.ts";

afterEach(() => {
	cleanup();
	verification.set({});
});

/** A verification of everything that named this many problems, all of another run. */
function verifiedWith(count: number) {
	const problems = Array.from({ length: count }, (_, n) => ({
		code: "EDITED" as const,
		runId: "run-other",
		n,
		message: "It was changed.",
	}));
	const result = Verification.parse({ ok: false, runs: 2, receipts: 2_000, independence: "self_attested", problems });
	return { checkedAt: "2026-01-01T10:00:00.000Z", tookMs: 1, upTo: "2026-01-01T09:00:00.000Z", result };
}

const run = { runId: "run1", newestAt: "2026-01-01T08:00:00.000Z" };
const ended = { endedAt: Timestamp.parse("2026-01-01T08:00:00.000Z") };

it("calls no run intact if a verification may have found more problems than it names, and says that there may be more", () => {
	expect(chainState(run, ended, verifiedWith(999)).state).toBe("intact");
	expect(chainState(run, ended, verifiedWith(1_000)).state).toBe("unverified");
	verification.set({ verified: verifiedWith(1_000) });
	render(<ProofBar titleOf={() => "A run"} />);
	expect(screen.getByText("At least 1,000 problems found.")).toBeDefined();
});

import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { UsageDay } from "../../../src/api/usage-day.ts";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { formatCount } from "../../../src/ui/text/format.ts";
import { costOf, formatCost } from "../../../src/ui/turn/usage.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const day = (more: Partial<UsageDay>): UsageDay => ({
	...{ day: "2026-01-02", runs: 1, tokenRuns: 0, inputTokens: 0, outputTokens: 0, costRuns: 0, costUsd: 0, silentRuns: 0 },
	otherCurrencies: [],
	...more,
});
async function rows(usage: readonly UsageDay[]) {
	fakeApp({ usage });
	render(<SettingsPage part="usage" />, { wrapper: new InApp().wrapper });
	const table = await screen.findByRole("table", { name: "Usage by day" });
	return within(table)
		.getAllByRole("row")
		.slice(1)
		.map((row) => [...row.children].map(({ textContent }) => textContent));
}

describe("Settings, Usage", () => {
	it("shows sums with the number of runs they are of, and no cost where none was reported", async () => {
		const shown = await rows([
			day({ runs: 4, tokenRuns: 3, inputTokens: 1_200_000, outputTokens: 900, costRuns: 1, costUsd: 0.25, silentRuns: 1 }),
			day({ day: "2026-01-01", tokenRuns: 1, inputTokens: 10, outputTokens: 0 }),
		]);
		expect(shown).toEqual([
			["Fri 2 Jan", "4", "1.2M in, 900 out from 3 of 4 runs", "$0.25 from 1 of 4 runs", "1"],
			["Thu 1 Jan", "1", "10 in, 0 out", "not reported", "0"],
			["30 days", "5", "1.2M in, 900 out from 4 of 5 runs", "$0.25 from 1 of 5 runs", "1"],
		]);
		expect(screen.getByText(/What your agents reported/)).toBeDefined();
	});

	it("says in which currencies a cost was reported that is not in the sum", async () => {
		const shown = await rows([
			day({ otherCurrencies: ["EUR", "JPY"] }),
			day({ day: "2026-01-01", runs: 2, costRuns: 1, costUsd: 0.25, otherCurrencies: ["EUR"] }),
		]);
		expect(shown.map(([, , , cost]) => cost)).toEqual([
			"reported in EUR, JPY, not added up",
			"$0.25 from 1 of 2 runs, reported in EUR, not added up",
			"$0.25 from 1 of 3 runs, reported in EUR, JPY, not added up",
		]);
		const other = (amount: number) => costOf({ otherCost: { amount, currency: "EUR" } });
		expect([7, 0.1 + 0.2, 0].flatMap(other)).toEqual(["7 EUR in this conversation", "0.3 EUR in this conversation"]);
	});

	it("says that there was no run, and that it could not be read", async () => {
		fakeApp({ usage: [] });
		render(<SettingsPage part="usage" />, { wrapper: new InApp().wrapper });
		await screen.findByText("No agent runs ended in your threads in the last 30 days.");
		cleanup();
		fakeApp({ usage: new Refused("INTERNAL", "Something went wrong.") });
		render(<SettingsPage part="usage" />, { wrapper: new InApp().wrapper });
		expect((await screen.findByRole("alert")).textContent).toContain("Something went wrong.");
	});

	it("says a cost as that of the conversation, and only if there is one", () => {
		expect([0.25, 0.003, 0.000_000_1, 0, 12].map(formatCost)).toEqual(["$0.25", "$0.003", "less than $0.0001", "$0.00", "$12.00"]);
		expect(costOf({ costUsd: 0.25 })).toEqual(["$0.25 in this conversation"]);
		expect(costOf({})).toEqual([]);
		expect([950, 18_200, 999_949, 999_950, 1_300_000].map(formatCount)).toEqual(["950", "18.2k", "999.9k", "1.0M", "1.3M"]);
	});
});

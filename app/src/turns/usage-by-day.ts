import type { Timestamp } from "@xworkmate/contracts";
import type { UsageDay } from "../api/usage-day.ts";
import type { UsedRun } from "../threads/domain/used-run.ts";

/** This provider runs programs, which use no model. */
const WITHOUT_MODEL = "script";

const noUsage = {
	...{ runs: 0, tokenRuns: 0, inputTokens: 0, outputTokens: 0, costRuns: 0, costUsd: 0, silentRuns: 0 },
	otherCurrencies: [] as readonly string[],
};

/**
 * The usage that agents reported, added up by day in this computer's time zone, newest first. A run without figures is counted but adds
 * nothing. An agent reports the cost of the conversation so far, so the cost of a run is the increase. A lower cost than before means that
 * a new conversation began.
 */
export function usageByDay(runs: readonly UsedRun[]): readonly UsageDay[] {
	const days = new Map<string, { -readonly [K in keyof UsageDay]: UsageDay[K] }>();
	for (const { endedAt, providerId, usage, costBefore = 0 } of runs) {
		if (providerId === WITHOUT_MODEL) continue;
		const day = localDay(endedAt);
		const sum = days.get(day) ?? { ...noUsage, day };
		days.set(day, sum);
		const { inputTokens, outputTokens, costUsd, otherCost } = usage;
		const hasTokens = inputTokens !== undefined || outputTokens !== undefined;
		sum.runs += 1;
		if (hasTokens) {
			sum.tokenRuns += 1;
			sum.inputTokens += inputTokens ?? 0;
			sum.outputTokens += outputTokens ?? 0;
		}
		if (costUsd !== undefined) {
			sum.costRuns += 1;
			sum.costUsd += costUsd >= costBefore ? costUsd - costBefore : costUsd;
		}
		if (otherCost !== undefined) sum.otherCurrencies = [...new Set([...sum.otherCurrencies, otherCost.currency])].sort();
		if (!hasTokens && costUsd === undefined && otherCost === undefined) sum.silentRuns += 1;
	}
	return [...days.values()].sort((one, other) => (one.day < other.day ? 1 : -1));
}

/** "2026-11-23". */
function localDay(timestamp: Timestamp): string {
	const date = new Date(timestamp);
	const two = (value: number) => String(value).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const DAYS = 30;

/** The beginning of the first day that is counted. The last 30 days are counted, including today. */
export function usageSince(now: Date): string {
	return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (DAYS - 1)).toISOString();
}

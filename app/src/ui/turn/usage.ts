import type { Usage } from "@xworkmate/contracts";
import type { TurnDetail } from "../../api/ui-api.ts";
import { ASSISTANT } from "../../strings/codes.ts";
import { fill, words } from "../../strings/interface.ts";
import { formatCount } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";

/** What a turn used, if its agent reports it: "18.2k tokens", "$0.25 in this conversation", "13% of context used". */
export function usageParts({ inputTokens = 0, outputTokens = 0, costUsd, otherCost, contextUsed, contextSize }: Usage): readonly string[] {
	const tokens = inputTokens + outputTokens;
	return [
		...(tokens > 0 ? [fill(words.thread.usage, { count: formatCount(tokens) })] : []),
		...costOf({ costUsd, otherCost }),
		...contextOf(contextUsed, contextSize),
	];
}

/**
 * Usage figures in one line: "$0.25 in this conversation, as reported". Only the assistant's are shown without "as reported", because
 * they do not come from an agent.
 */
export function reportedUsage(parts: readonly string[], { snapshot, request }: TurnDetail): readonly string[] {
	if (parts.length === 0) return [];
	const usage = parts.join(", ");
	return [
		(snapshot?.provider.providerId ?? request.routing.providerId) === ASSISTANT ? usage : fill(words.thread.usageReported, { usage }),
	];
}

/** "13% of context used". If an agent reports more context than it has, its two figures are shown without a percentage. */
function contextOf(used: number | undefined, size: number | undefined): readonly string[] {
	if (used === undefined || size === undefined || size === 0) return [];
	if (used > size) return [fill(words.thread.contextOver, { used: formatCount(used), size: formatCount(size) })];
	return [fill(words.thread.context, { percent: Math.round((100 * used) / size) })];
}

/** What the conversation has cost so far, if its agent reports it: "$0.03 in this conversation", "7 EUR in this conversation". */
export function costOf({ costUsd = 0, otherCost }: Pick<Usage, "costUsd" | "otherCost">): readonly string[] {
	const { amount = 0, currency = "" } = otherCost ?? {};
	return [
		...(costUsd > 0 ? [fill(words.thread.cost, { cost: formatCost(costUsd) })] : []),
		...(amount > 0
			? [fill(words.thread.cost, { cost: visibleName(`${amount < 0.000_1 ? amount : Number(amount.toFixed(4))} ${currency}`) })]
			: []),
	];
}

/** "$0.25". An amount below one cent is rounded to one significant digit, and one below $0.0001 becomes "less than $0.0001". */
export function formatCost(costUsd: number): string {
	if (costUsd > 0 && costUsd < 0.000_1) return "less than $0.0001";
	return `$${costUsd > 0 && costUsd < 0.01 ? costUsd.toPrecision(1) : costUsd.toFixed(2)}`;
}

import type { Usage } from "@xworkmate/contracts";
import { fill, words } from "../../strings/interface.ts";
import { formatCount } from "../text/format.ts";

/** What a turn used, if its agent reports it: "18.2k tokens", "$0.25 in this conversation", "13% of context used". */
export function usageParts({ inputTokens = 0, outputTokens = 0, costUsd, contextUsed, contextSize }: Usage): readonly string[] {
	const tokens = inputTokens + outputTokens;
	return [
		...(tokens > 0 ? [fill(words.thread.usage, { count: formatCount(tokens) })] : []),
		...costOf({ costUsd }),
		...contextOf(contextUsed, contextSize),
	];
}

/** "13% of context used". An agent can't use more than there is, so figures that say so are only repeated, as its own. */
function contextOf(used: number | undefined, size: number | undefined): readonly string[] {
	if (used === undefined || size === undefined || size === 0) return [];
	if (used > size) return [fill(words.thread.contextOver, { used: formatCount(used), size: formatCount(size) })];
	return [fill(words.thread.context, { percent: Math.round((100 * used) / size) })];
}

/** What the conversation has cost so far, if its agent reports it: "$0.03 in this conversation". */
export function costOf({ costUsd }: Pick<Usage, "costUsd">): readonly string[] {
	return costUsd !== undefined && costUsd > 0 ? [fill(words.thread.cost, { cost: formatCost(costUsd) })] : [];
}

/** "$0.25". A very small amount keeps its first significant digit. */
export function formatCost(costUsd: number): string {
	if (costUsd > 0 && costUsd < 0.000_1) return "less than $0.0001";
	return `$${costUsd > 0 && costUsd < 0.01 ? costUsd.toPrecision(1) : costUsd.toFixed(2)}`;
}

import type { ActivityItem } from "./activity.ts";
import { lastEnds } from "./last-commands.ts";
import { isUntrue, unpermittedIn } from "./unpermitted.ts";

/**
 * At most `most` items, in the given order. What is said about a run as a whole is judged from its listed items, so a cut must not change
 * it: ordinary successes are left out first. What stays comes in this order: an item of each kind that a judgment looks for, everything
 * without permission or contradicted, what the bridge was asked to do and is not known to have done, and the last end of each command, so
 * that a failure is rarely listed without the success that followed it. Pure.
 */
export function mostTelling(items: ActivityItem[], most: number): ActivityItem[] {
	if (items.length <= most) return items;
	const worst = unpermittedIn({ items });
	const deciding = new Set([
		items.find(({ risk }) => risk !== "read"),
		items.find(({ origin }) => origin === "executed"),
		items.find(({ origin, status }) => origin === "executed" && status === "unknown"),
		worst && items.find(({ unpermitted }) => unpermitted === worst),
		items.find(isUntrue),
	]);
	const ends = new Set(lastEnds(items));
	const rankOf = (item: ActivityItem): number => {
		const { origin, status, unpermitted } = item;
		if (deciding.has(item)) return 0;
		if (unpermitted !== undefined || isUntrue(item)) return 1;
		if (origin === "executed" && status !== "succeeded") return 2;
		if (ends.has(item)) return status === "failed" ? 3 : 4;
		return status === "succeeded" ? 6 : 5;
	};
	const ranked: ActivityItem[][] = [[], [], [], [], [], [], []];
	for (const item of items) ranked[rankOf(item)]?.push(item);
	const kept = new Set(ranked.flat().slice(0, most));
	return items.filter((item) => kept.has(item));
}

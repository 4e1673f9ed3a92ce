import type { Occurrence, OccurrenceId, PlanId } from "@xworkmate/contracts";
import { useCallback, useState } from "react";
import { callApp } from "../connection/call-app.ts";
import { readPages } from "./read-pages.ts";
import { usePlanRead } from "./use-plans.ts";

/** How many occurrences one page of the list has. */
const PAGE = 50;

/** One occurrence, however old; undefined if the plan has none with that id. */
export async function askOccurrence(planId: string, occurrenceId: string): Promise<Occurrence | undefined> {
	const { items } = await callApp("planOccurrences", { planId: planId as PlanId, occurrenceId: occurrenceId as OccurrenceId });
	return items[0];
}

/**
 * A plan with its newest occurrences, and older ones on request.
 *
 * `shown`: the occurrence with the id `occurrenceId`, even if it is not listed; without an id, the newest. `isGone`: the bridge has answered
 * that the plan has no occurrence with that id.
 */
export function useOccurrences(planId: string, occurrenceId: string | undefined) {
	const [count, setCount] = useState(PAGE);
	const ask = useCallback(async () => {
		const id = planId as PlanId;
		const [plan, { items, nextCursor }, named] = await Promise.all([
			callApp("plan", { planId: id }),
			readPages(count, (after) => callApp("planOccurrences", { planId: id, limit: PAGE, ...after })),
			occurrenceId === undefined ? undefined : askOccurrence(planId, occurrenceId),
		]);
		return { plan, occurrences: items, nextCursor, named, asked: occurrenceId };
	}, [planId, occurrenceId, count]);
	const { value, problem, asOf, read } = usePlanRead(ask, planId);
	const occurrences = value?.occurrences ?? [];
	// Until the answer for a new id arrives, `value` is still the one for the previous id.
	const isAnswered = value !== undefined && value.asked === occurrenceId;
	const named = isAnswered ? value.named : occurrences.find((one) => one.occurrenceId === occurrenceId);
	const shown = occurrenceId === undefined ? occurrences[0] : named;
	const isGone = occurrenceId !== undefined && isAnswered && named === undefined;
	return { value, shown, isGone, problem, asOf, read, readOlder: () => setCount(occurrences.length + PAGE) };
}

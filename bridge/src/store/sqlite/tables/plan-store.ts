import type { Database } from "better-sqlite3";
import type { PlanStore } from "../../../ports/plan-store.ts";

export function createPlanStore(_db: Database): PlanStore {
	const absent = () => Promise.reject(new Error("not here yet"));
	return {
		beginEpoch: absent,
		append: absent,
		appendAll: absent,
		find: absent,
		findByRequest: absent,
		findOccurrenceByRequest: absent,
		findOccurrence: absent,
		countPlans: absent,
		list: absent,
		occurrences: absent,
		due: absent,
		nextDueAt: absent,
		openPlans: absent,
		claimable: absent,
		nextActionAt: absent,
		abandoned: absent,
		handedOverSince: absent,
		sameSince: absent,
		readEvents: absent,
		readFeed: absent,
		lastFeedSeq: absent,
		payload: absent,
		inbox: absent,
		mark: absent,
	};
}

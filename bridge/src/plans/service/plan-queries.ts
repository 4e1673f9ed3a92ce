import { ContractError, type MethodResult, omitUndefined } from "@xworkmate/contracts";
import { timestamp } from "../../ports/clock.ts";
import type { PlanFeed, PlanService } from "../../ports/plans/plan-service.ts";
import { isPlanOver, planView } from "../domain/plan-state.ts";
import { planUpdate } from "../domain/plan-update.ts";
import { findPlan } from "../find-plan.ts";
import type { PlanParts } from "../plan-parts.ts";
import { scheduleTerms } from "../plan-schedule.ts";
import { checkSchedule, nextTimes } from "../schedule/schedule.ts";
import { scheduleWords } from "../schedule/schedule-words.ts";

type Queries = Pick<PlanService, "get" | "list" | "occurrences" | "updates" | "schedule" | "page" | "feed">;
type QueryParts = Pick<PlanParts, "store" | "log" | "clock">;

const PAGE = 200;
const SHOWN_TIMES = 5;

/** The queries about plans. */
export function planQueries({ store, log, clock }: QueryParts): Queries {
	const feed: PlanFeed = {
		read: async ({ planId, afterFeedSeq, limit }) => {
			await refuseAhead(store, afterFeedSeq);
			return store.readFeed({ afterFeedSeq, limit, ...omitUndefined({ planId }) });
		},
		last: () => store.lastFeedSeq(),
		isOver: async (planId) => {
			const state = await store.find(planId);
			return state !== undefined && isPlanOver(state);
		},
		onChanged: (listener) => log.onCommitted(listener),
	};
	return {
		feed,
		get: async ({ planId }) => planView(await findPlan(store, planId)),
		list: async ({ status, needsReview, limit, cursor }) => {
			// Read before the list, so that a commit between the two reads is sent twice rather than lost.
			const feedSeq = await store.lastFeedSeq();
			const { items, ...next } = await store.list({ status, needsReview, limit, cursor });
			return { items: items.map(planView), ...next, feedSeq };
		},
		occurrences: async ({ planId, occurrenceId, limit, cursor }) => {
			await findPlan(store, planId);
			if (occurrenceId !== undefined) {
				const occurrence = await store.findOccurrence(occurrenceId);
				return { items: occurrence?.planId === planId ? [occurrence] : [] };
			}
			const { items, ...next } = await store.occurrences(planId, limit, cursor);
			return { items: [...items], ...next };
		},
		updates: async ({ planId, afterSeq, limit }) => {
			const { lastSeq } = await findPlan(store, planId);
			if (afterSeq > lastSeq) throw ahead(`The plan's log has no update ${afterSeq}.`);
			const events = await store.readEvents({ planId, afterSeq, limit });
			return { items: events.map(planUpdate) };
		},
		schedule: async (params) => {
			const now = clock.now();
			const terms = scheduleTerms(params);
			checkSchedule(terms, now);
			const times = nextTimes(terms, now, SHOWN_TIMES).map(({ at, note }) => ({ at: timestamp(at), ...omitUndefined({ note }) }));
			return { words: scheduleWords(terms), times };
		},
		page: async ({ planId, afterFeedSeq }): Promise<MethodResult<"xworkmate.plans.subscribe">> => {
			const last = await store.lastFeedSeq();
			const events = await feed.read({ afterFeedSeq, limit: PAGE, ...omitUndefined({ planId }) });
			const isWhole = events.length < PAGE;
			return { items: events.map(planUpdate), feedSeq: Math.max(events.at(-1)?.feedSeq ?? 0, isWhole ? last : 0, afterFeedSeq) };
		},
	};
}

/** @throws ContractError SEQ_AHEAD */
async function refuseAhead(store: PlanParts["store"], afterFeedSeq: number): Promise<void> {
	if (afterFeedSeq > 0 && afterFeedSeq > (await store.lastFeedSeq())) throw ahead(`There is no update ${afterFeedSeq} yet.`);
}

function ahead(detail: string): ContractError {
	return new ContractError("SEQ_AHEAD", { detail });
}

import type { MessageNews } from "../../ports/channels/channel-news.ts";
import type { ActionAt } from "../../ports/channels/channel-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OpenOccurrence } from "../../ports/plans/plan-event.ts";
import type { PlanStore } from "../../ports/plans/plan-store.ts";
import { find } from "../domain/decide-delivery.ts";
import { decideNews, isInHands, type NewsTerms } from "../domain/decide-news.ts";
import { openOccurrence } from "../find-plan.ts";
import type { PlanLog } from "../plan-log.ts";

export interface TellPlanParts {
	readonly store: Pick<PlanStore, "find" | "findOccurrence">;
	readonly log: PlanLog;
	readonly clock: Pick<Clock, "now">;
	/** How long a message that was passed on by its channel waits for proof that it arrived, in milliseconds. */
	readonly confirmMs: number;
}

/** A report about one message, with the attempt that it concerns if that is known. */
export interface NewsOfAction extends Pick<NewsTerms, "attempt" | "providerMessageId" | "saidAt"> {
	readonly news: MessageNews;
}

/**
 * Records what a report changes about a message, even if its occurrence is over. `waits`: the message is being sent right now, so nothing
 * was decided.
 *
 * @throws the store's error: nothing was written
 */
export async function tellPlan(parts: TellPlanParts, place: ActionAt, { news, ...of }: NewsOfAction): Promise<"told" | "waits"> {
	const { store, log, clock, confirmMs } = parts;
	const { planId, occurrenceId, actionId } = place;
	for (;;) {
		const before = await store.find(planId);
		if (before === undefined) return "told";
		const ended = openOccurrence(before, occurrenceId) === undefined ? await store.findOccurrence(occurrenceId) : undefined;
		let end: "told" | "waits" | "behind" = "told";
		await log.tryChange(planId, (now) => {
			// A finished occurrence is not part of the state, so the occurrence that was read is valid only if nothing has been written since.
			const isFresh = ended !== undefined && now.lastSeq === before.lastSeq;
			const open: OpenOccurrence | undefined =
				openOccurrence(now, occurrenceId) ?? (isFresh ? { occurrence: ended, claims: {} } : undefined);
			const action = open && find(open, actionId);
			end = open === undefined ? "behind" : action !== undefined && isInHands(action) ? "waits" : "told";
			if (open === undefined) return [];
			return decideNews(open, actionId, news, { ...of, now: clock.now(), confirmMs, epoch: log.epoch });
		});
		if (endOf(end) !== "behind") return end;
	}
}

/** Widens the type: the value is assigned in a callback, which the compiler does not follow. */
function endOf(end: "told" | "waits" | "behind"): string {
	return end;
}

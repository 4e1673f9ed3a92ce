import type { MessageNews } from "../../ports/channel-news.ts";
import type { ActionAt } from "../../ports/channel-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OpenOccurrence } from "../../ports/plan-event.ts";
import type { PlanStore } from "../../ports/plan-store.ts";
import { find } from "../domain/decide-delivery.ts";
import { decideNews, isInHands, type NewsTerms } from "../domain/decide-news.ts";
import { openOccurrence } from "../find-plan.ts";
import type { PlanLog } from "../plan-log.ts";

export interface TellPlanParts {
	readonly store: Pick<PlanStore, "find" | "findOccurrence">;
	readonly log: PlanLog;
	readonly clock: Pick<Clock, "now">;
	/** How long a message that its channel has sent on waits for the proof that it arrived, in milliseconds. */
	readonly confirmMs: number;
}

/** News of one message, as far as it is known which of its attempts they are of. */
export interface NewsOfAction extends Pick<NewsTerms, "attempt" | "providerMessageId" | "saidAt"> {
	readonly news: MessageNews;
}

/**
 * Writes down what news make of a message, also of one that is over. `waits`: it is being sent at this moment, so nothing was decided.
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
			// What is over is not part of the state, so it is only good as long as nothing has been written since it was read.
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

/** Assigned in a callback, which the compiler does not follow. */
function endOf(end: "told" | "waits" | "behind"): string {
	return end;
}

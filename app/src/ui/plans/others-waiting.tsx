import type { Occurrence, OccurrenceStatus, Plan } from "@xworkmate/contracts";
import { occurrenceStatusOf, occurrenceStatusWords } from "../../strings/plans/plan-words.ts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { localTime } from "../../text/local-time.ts";
import { hrefOf } from "../state/route.ts";
import { useClock } from "../state/use-clock.ts";

/** The plan's `needsReview` does not count the messages of an occurrence that has one of these states. */
const over: ReadonlySet<OccurrenceStatus> = new Set(["completed", "failed", "cancelled", "skipped"]);

/** How many messages of an occurrence wait for the user. An occurrence that waits without any counts as one, as in `needsReview`. */
function waitingIn({ status, delivery }: Occurrence): number {
	if (over.has(status)) return 0;
	if (delivery.length === 0) return status === "needs_review" ? 1 : 0;
	return delivery.filter((action) => action.status === "needs_review" || action.status === "unknown").length;
}

/** True if a plan waits for the user because of occurrences other than this one. */
export function othersWait({ needsReview }: Pick<Plan, "needsReview">, shown: Occurrence | undefined): boolean {
	return needsReview > (shown === undefined ? 0 : waitingIn(shown));
}

interface OthersWaitingProps {
	readonly plan: Plan;
	readonly occurrences: readonly Occurrence[];
	readonly shown: Occurrence;
}

/** Links to the other occurrences that are waiting for the user, because the page may show one that needs nothing from the user. */
export function OthersWaiting({ plan, occurrences, shown }: OthersWaitingProps) {
	const now = useClock();
	if (!othersWait(plan, shown)) return null;
	const { planId } = plan;
	const others = occurrences.filter((one) => one.occurrenceId !== shown.occurrenceId && waitingIn(one) > 0);
	// Only the newest due times are listed on the page.
	const areAllListed = [shown, ...others].reduce((sum, one) => sum + waitingIn(one), 0) >= plan.needsReview;
	return (
		<p className="hint flex wraps">
			{words.othersNeed}
			{others.map((one) => (
				<a key={one.occurrenceId} href={hrefOf({ page: "plan", planId, occurrenceId: one.occurrenceId })}>
					{`${localTime(one.dueAt, now)}, ${occurrenceStatusWords[occurrenceStatusOf(one)].toLowerCase()}`}
				</a>
			))}
			{!areAllListed && (
				<a href={hrefOf({ page: "plan", planId, history: true })}>{others.length === 0 ? words.history : words.olderInHistory}</a>
			)}
		</p>
	);
}

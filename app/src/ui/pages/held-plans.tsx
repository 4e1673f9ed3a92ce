import type { Plan } from "@xworkmate/contracts";
import { Hand } from "lucide-react";
import { count, words } from "../../strings/interface.ts";
import { waitingOf } from "../../strings/plans/plan-words.ts";
import type { Look } from "../plans/plan-look.ts";
import { StateWord } from "../plans/state-word.tsx";
import { ReadAsOf, usePlans } from "../plans/use-plans.ts";
import { hrefOf } from "../state/route.ts";
import { visibleName } from "../text/visible-text.ts";

const waits: Look = { icon: Hand, tone: "need" };

/** Plans with messages to review or to settle, each with a link to them. */
export function HeldPlans() {
	const { value, asOf } = usePlans();
	const held = value?.plans.filter(({ needsReview }) => needsReview > 0) ?? [];
	if (held.length === 0) return null;
	return (
		<ReadAsOf value={asOf}>
			<ul className="list">
				{held.map((plan) => (
					<li className="item whole" key={plan.planId}>
						<div className="grow">
							<a className="nm" href={hrefOf({ page: "plan", planId: plan.planId })}>
								{visibleName(plan.title)}
							</a>
							<div className="sub">
								<StateWord look={waits} word={waitingWords(plan)} />
							</div>
						</div>
						<div className="end">
							<a className="btn" href={reviewHref(plan)}>
								{words.home.review}
							</a>
						</div>
					</li>
				))}
			</ul>
		</ReadAsOf>
	);
}

function waitingWords(plan: Plan): string {
	const { review, unknown } = waitingOf(plan);
	return [
		...(review > 0 ? [`${count(review, plan.delivery.length > 0 ? "message" : "due time")} ${words.home.toReview}`] : []),
		...(unknown > 0 ? [`${count(unknown, "message")} ${words.home.toSettle}`] : []),
	].join(", ");
}

function reviewHref({ planId, occurrence }: Plan): string {
	const waits = occurrence?.delivery.some(({ status }) => status === "needs_review" || status === "unknown") === true;
	return hrefOf(waits ? { page: "review", planId, occurrenceId: occurrence.occurrenceId } : { page: "plan", planId });
}

import type { Plan } from "@xworkmate/contracts";
import { Hand, WifiOff } from "lucide-react";
import { count, words } from "../../strings/interface.ts";
import { waitingOf } from "../../strings/plan-words.ts";
import { Icon } from "../components/icon.tsx";
import { usePlans, usePlansAsOf } from "../plans/use-plans.ts";
import { hrefOf } from "../state/route.ts";
import { visibleName } from "../text/visible-text.ts";
import { asOfWords } from "../turn/tool-line.ts";

/** Plans whose messages wait for the user's review, each with a link to the review. */
export function HeldPlans() {
	const { value } = usePlans();
	const asOf = usePlansAsOf();
	const held = value?.plans.filter(({ needsReview }) => needsReview > 0) ?? [];
	if (held.length === 0) return null;
	return (
		<ul className="list">
			{held.map((plan) => (
				<li className="item whole" key={plan.planId}>
					<div className="grow">
						<a className="nm" href={hrefOf({ page: "plan", planId: plan.planId })}>
							{visibleName(plan.title)}
						</a>
						<div className="sub">
							<span className={`st ${asOf === undefined ? "st-need" : "st-unk"}`}>
								<Icon of={asOf === undefined ? Hand : WifiOff} />
								{asOf === undefined ? waitingWords(plan) : asOfWords(waitingWords(plan), asOf)}
							</span>
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
	);
}

function waitingWords(plan: Plan): string {
	const { review, unknown } = waitingOf(plan);
	return [
		...(review > 0 ? [`${count(review, "message")} ${words.home.toReview}`] : []),
		...(unknown > 0 ? [`${count(unknown, "message")} ${words.home.toSettle}`] : []),
	].join(", ");
}

function reviewHref({ planId, occurrence }: Plan): string {
	const waits = occurrence?.delivery.some(({ status }) => status === "needs_review" || status === "unknown") === true;
	return hrefOf(waits ? { page: "review", planId, occurrenceId: occurrence.occurrenceId } : { page: "plan", planId });
}

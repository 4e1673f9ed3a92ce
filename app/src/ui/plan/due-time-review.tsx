import type { Occurrence, Plan } from "@xworkmate/contracts";
import { canRerun } from "@xworkmate/contracts/waits-for-work";
import { useState } from "react";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { occurrenceTitle } from "../../text/plans/code-title.ts";
import { callApp } from "../connection/call-app.ts";
import { usePlansAsOf } from "../plans/use-plans.ts";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";

const words = plansPageWords.dueTime;

interface DueTimeReviewProps {
	readonly plan: Plan;
	readonly occurrence: Occurrence;
}

/** Why an occurrence without messages waits for the user, and the decision about it, which its messages would otherwise lead to. */
export function DueTimeReview({ plan, occurrence }: DueTimeReviewProps) {
	const [isBusy, setBusy] = useState(false);
	// An occurrence that may have been decided on in the meantime is shown, but not offered for a decision.
	const isOld = usePlansAsOf() !== undefined;
	const { occurrenceId, revision, code } = occurrence;
	const decide = async (decision: "rerun" | "discard", said: string) => {
		if (isBusy) return;
		setBusy(true);
		await attempt(async () => {
			const { applied } = await callApp("reviewMessage", { occurrenceId, revision, decision });
			say(applied ? said : words.tooLate);
		});
		setBusy(false);
	};
	return (
		<div className="note need">
			<div className="grow">
				{code !== undefined && (
					<p>
						<b>{occurrenceTitle(code, occurrence)}.</b>
					</p>
				)}
				<p>{words.ask}</p>
			</div>
			{canRerun(plan, occurrence) && (
				<button
					type="button"
					className="btn pri"
					disabled={isOld}
					aria-disabled={isBusy}
					onClick={() => void decide("rerun", words.running)}
				>
					{words.run}
				</button>
			)}
			<button type="button" className="btn" disabled={isOld} aria-disabled={isBusy} onClick={() => void decide("discard", words.discarded)}>
				{words.discard}
			</button>
		</div>
	);
}

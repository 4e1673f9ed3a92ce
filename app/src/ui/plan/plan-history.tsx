import type { Occurrence, Plan } from "@xworkmate/contracts";
import { X } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { channelWords, countOfMissed, deliveryState, untimedState } from "../../strings/plans/plan-words.ts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { localTime } from "../../text/local-time.ts";
import { skippedWhy } from "../../text/plans/code-title.ts";
import { Icon } from "../components/icon.tsx";
import { useRequest } from "../keys/keys.ts";
import { AsOf } from "../plans/as-of.tsx";
import { hrefOf } from "../state/route.ts";
import { useClock } from "../state/use-clock.ts";
import { OccurrenceWord } from "./occurrence-word.tsx";

interface PlanHistoryProps {
	readonly plan: Plan;
	/** Newest first. */
	readonly occurrences: readonly Occurrence[];
	readonly shown?: Occurrence;
	/** Absent if `occurrences` ends with the oldest one. */
	readonly readOlder?: () => void;
	close(): void;
}

/** The occurrences of a plan, beside the one that is shown. */
export function PlanHistory({ plan, occurrences, shown, readOlder, close }: PlanHistoryProps) {
	const now = useClock();
	useRequest("close", close);
	return (
		<aside className="panel" aria-label={words.history}>
			<header className="bar">
				<h2>
					{words.history}
					<AsOf />
				</h2>
				<span className="grow" />
				<button type="button" className="ib" aria-label={words.closeHistory} onClick={close}>
					<Icon of={X} />
				</button>
			</header>
			<div className="hist">
				{plan.nextDueAt !== undefined && (
					<p className="next">
						<span>{words.nextTitle}</span>
						<span>{localTime(plan.nextDueAt, now)}</span>
					</p>
				)}
				{occurrences.map((occurrence) => (
					<a
						key={occurrence.occurrenceId}
						href={hrefOf({ page: "plan", planId: plan.planId, occurrenceId: occurrence.occurrenceId, history: true })}
						aria-current={occurrence.occurrenceId === shown?.occurrenceId ? "true" : undefined}
					>
						<span className="t">{localTime(occurrence.dueAt, now)}</span>
						<OccurrenceWord occurrence={occurrence} />
						<small>{skippedWhy(occurrence) ?? summaryOf(occurrence)}</small>
					</a>
				))}
				{readOlder !== undefined && (
					<p className="more-above">
						<button type="button" className="btn" onClick={readOlder}>
							{words.older}
						</button>
					</p>
				)}
			</div>
		</aside>
	);
}

/** A summary such as "Email sent, WhatsApp unknown", with the number of earlier due times that were missed. */
function summaryOf({ delivery, missed, kind }: Occurrence): string {
	const messages = delivery.map((action) => {
		const state = untimedState(deliveryState(action));
		return `${channelWords[action.channel]} ${state.toLocaleLowerCase()}`;
	});
	const said = messages.join(", ");
	if (kind === "resend") return fill(words.sentAgain, { messages: said });
	if (missed === undefined || missed.count < 2) return said;
	return fill(said === "" ? words.caughtUpAlone : words.caughtUp, { count: countOfMissed(missed, 1), messages: said });
}

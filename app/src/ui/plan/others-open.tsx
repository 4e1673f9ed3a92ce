import type { Occurrence, OccurrenceStatus, Plan } from "@xworkmate/contracts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { localTime } from "../../text/local-time.ts";
import { runStateOf } from "../../text/plans/plan-runs.ts";
import { useRunsNow } from "../plans/use-runs-now.ts";
import { hrefOf } from "../state/route.ts";
import { useClock } from "../state/use-clock.ts";
import { occurrenceState } from "./occurrence-word.tsx";

const inProgress: ReadonlySet<OccurrenceStatus> = new Set(["due", "running", "delivering"]);

interface OthersOpenProps {
	readonly plan: Pick<Plan, "planId">;
	readonly occurrences: readonly Occurrence[];
	readonly shown: Occurrence;
}

/**
 * Links to the other occurrences that are in progress, or whose work was asked to stop and is still running, because the page may show only
 * a due time that was skipped because of them.
 */
export function OthersOpen({ plan: { planId }, occurrences, shown }: OthersOpenProps) {
	const now = useClock();
	const runs = useRunsNow();
	const others = occurrences.filter(
		(one) => one.occurrenceId !== shown.occurrenceId && (inProgress.has(one.status) || runStateOf(one, runs) !== undefined),
	);
	if (others.length === 0) return null;
	return (
		<p className="hint flex wraps">
			{words.othersOpen}
			{others.map((one) => (
				<a key={one.occurrenceId} href={hrefOf({ page: "plan", planId, occurrenceId: one.occurrenceId })}>
					{`${localTime(one.dueAt, now)}, ${occurrenceState(one, runs).word.toLowerCase()}`}
				</a>
			))}
		</p>
	);
}

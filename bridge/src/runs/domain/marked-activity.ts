import type { Activity, ActivityItem } from "@xworkmate/contracts";
import type { RunProvider } from "../../ports/runs/run-record.ts";
import { activityOfTrail } from "./call-trail.ts";
import type { RunState } from "./run-state.ts";

/**
 * What a run has done so far. A reported success is marked if only its title was shown, or if the report of its end replaced its command; a
 * contradicted one names all files that contradict it. None of this is in the receipts. Undefined if the run has no receipts. Pure.
 */
export function markedActivity(
	{ trail, callFacts }: Pick<RunState, "trail" | "callFacts">,
	provider: Pick<RunProvider, "target"> | undefined,
	most?: number,
): Activity | undefined {
	if (trail === undefined) return undefined;
	const activity = activityOfTrail(trail, most);
	const marked = (item: ActivityItem): ActivityItem => {
		if (item.origin !== "reported" || item.status !== "succeeded") return item;
		const facts = callFacts.get(item.toolCallId);
		// For a turn that another program sent, a gateway may report no more than the title of a call.
		const titleOnly = provider?.target !== "gateway" && facts?.showsMore !== true;
		const replaced = facts?.isReplaced === true;
		const isAgainst = item.contradiction !== undefined || item.onlyChanged === true;
		const examined = isAgainst ? (facts?.examined ?? facts?.paths) : undefined;
		return { ...item, ...(titleOnly && { titleOnly }), ...(replaced && { replaced }), ...(examined && { examined: [...examined] }) };
	};
	return { ...activity, items: activity.items.map(marked) };
}

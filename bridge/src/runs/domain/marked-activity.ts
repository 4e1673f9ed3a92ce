import type { Activity, ActivityItem } from "@xworkmate/contracts";
import type { RunProvider } from "../../ports/runs/run-record.ts";
import { activityOfTrail } from "./call-trail.ts";
import type { RunState } from "./run-state.ts";

/**
 * What a run has done so far. Its reported successes are marked if only a title was shown of them, or if the report of their end replaced
 * their command, and name all files that contradict them; receipts say none of this. Undefined if the run has no receipts. Pure.
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
		// A gateway may tell no more than the title of a call in a turn that another program sent.
		const titleOnly = provider?.target !== "gateway" && facts?.showsMore !== true;
		const replaced = facts?.isReplaced === true;
		const isAgainst = item.contradiction !== undefined || item.onlyChanged === true;
		const examined = isAgainst ? (facts?.examined ?? facts?.paths) : undefined;
		return { ...item, ...(titleOnly && { titleOnly }), ...(replaced && { replaced }), ...(examined && { examined: [...examined] }) };
	};
	return { ...activity, items: activity.items.map(marked) };
}

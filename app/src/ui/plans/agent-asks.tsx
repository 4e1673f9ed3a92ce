import type { Plan } from "@xworkmate/contracts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { planStateOf } from "../../text/plans/plan-runs.ts";
import { hrefOf } from "../state/route.ts";
import { AsOf } from "./as-of.tsx";
import { useRunsNow } from "./use-runs-now.ts";

/** Links to the request that a plan's work is waiting for. Empty if it isn't waiting for one. */
export function AgentAsks({ plan }: { readonly plan: Plan }) {
	const { asking } = planStateOf(plan, useRunsNow());
	if (asking === undefined) return null;
	return (
		<p className="hint">
			<a href={hrefOf({ page: "thread", threadId: plan.threadId })}>{words.agentAsks}</a>
			<AsOf />
		</p>
	);
}

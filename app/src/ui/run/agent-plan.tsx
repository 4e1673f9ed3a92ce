import type { PlanEntry } from "@xworkmate/contracts";
import { Check, ChevronRight, CircleDashed, CircleDot, ListChecks } from "lucide-react";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { Clamped } from "../rich-text/clamped.tsx";
import { visibleName } from "../text/visible-text.ts";
import { asOfWords } from "../turn/tool-line.ts";

const looks = {
	completed: { icon: Check, name: "done" },
	in_progress: { icon: CircleDot, name: "now" },
	pending: { icon: CircleDashed, name: "" },
} as const;

interface AgentPlanProps {
	readonly entries: readonly PlanEntry[];
	readonly live: boolean;
	/** Present if contact with the run is lost: the time at which the plan was last known. */
	readonly asOf?: string;
}

/** The agent's plan, in its own words. Once its run has ended, no step is shown as in progress. */
export function AgentPlan({ entries, live, asOf }: AgentPlanProps) {
	// An agent that withdraws its plan sends an empty one.
	if (entries.length === 0) return null;
	const done = entries.filter(({ state }) => state === "completed").length;
	const say = fill(words.thread.planDone, { done, all: entries.length });
	return (
		// The key changes when the run ends. The new key folds the card once; from then on, only the user folds it.
		<details className="plan" key={live ? "live" : "over"} open={live}>
			<summary>
				<Icon of={ListChecks} small />
				{words.thread.plan}
				<span className="muted normal">{asOf === undefined ? say : asOfWords(say, asOf)}</span>
				<Icon of={ChevronRight} small className="chev" />
			</summary>
			<ol aria-label={words.thread.plan}>
				{entries.map(({ content, state: said }, index) => {
					const state = said === "in_progress" && !live ? "pending" : said;
					return (
						<li
							// biome-ignore lint/suspicious/noArrayIndexKey: a plan is replaced whole, and its entries have no ids
							key={index}
							className={looks[state].name}
							aria-current={state === "in_progress" ? "step" : undefined}
						>
							<Icon of={looks[state].icon} small />
							<span>
								<Clamped text={visibleName(content)} />
								<span className="vh">, {words.thread.planStates[state]}</span>
							</span>
						</li>
					);
				})}
			</ol>
		</details>
	);
}

import type { Plan } from "@xworkmate/contracts";
import { Plus, Search, WifiOff } from "lucide-react";
import { useCallback, useId, useMemo, useState } from "react";
import { words as all, fill } from "../../strings/interface.ts";
import { channelWords, type ShownPlanStatus } from "../../strings/plans/plan-words.ts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { needsUser, planStateOf } from "../../text/plans/plan-runs.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { hrefOf } from "../state/route.ts";
import { useGradually } from "../state/use-gradually.ts";
import { formatTime } from "../text/format.ts";
import { withKeys } from "../text/key-names.ts";
import { NoPlans } from "./no-plans.tsx";
import { PlanCard } from "./plan-card.tsx";
import { groupPlans, type PlanGroup } from "./plan-look.ts";
import { openPlanMenu } from "./plan-menu-state.ts";
import { type NameOf, useRecipientNames } from "./recipient-names.ts";
import { ReadAsOf, usePlans, usePlansAsOf } from "./use-plans.ts";
import { useRunsNow } from "./use-runs-now.ts";

type Filter = keyof typeof words.filters;
/** The state that a plan is shown in. */
type StateOf = (plan: Plan) => ShownPlanStatus;

/** All plans: those that need the user, those that are running, those that are due next, and the rest. */
export default function PlansPage() {
	const { value, problem, asOf: readAsOf, read } = usePlans();
	const nameOf = useRecipientNames();
	const asOf = usePlansAsOf(readAsOf);
	const [filter, setFilter] = useState<Filter>("all");
	const [text, setText] = useState("");
	const plans = useMemo(() => value?.plans ?? [], [value]);
	const now = useRunsNow();
	const stateOf = useCallback((plan: Plan) => planStateOf(plan, now).status, [now]);
	const counts = useMemo(() => countsOf(plans, stateOf), [plans, stateOf]);
	const shown = plans.filter((plan) => isOf(plan, filter, stateOf) && matches(plan, text, nameOf));
	const rendered = useGradually(shown.length);
	return (
		<main className="main" tabIndex={-1}>
			<PageBar
				title={all.sidebar.plans}
				say={words.lead}
				{...(asOf !== undefined && value?.known === true && { chip: <AsOfChip asOf={asOf} /> })}
			>
				<a className="btn pri" href={hrefOf({ page: "new-plan" })} title={withKeys(words.fresh, "Alt+P")}>
					<Icon of={Plus} />
					{words.fresh}
				</a>
			</PageBar>
			<div className="scroll">
				<div className="page wide">
					<ReadState isRead={value?.known === true} {...{ problem, words, read }} />
					{value?.known === true && plans.length === 0 && <NoPlans />}
					{plans.length > 0 && (
						<div className="topline">
							<FilterBar {...{ filter, setFilter, counts }} />
							<label className="search">
								<Icon of={Search} small />
								<input
									type="search"
									value={text}
									onChange={(event) => setText(event.target.value)}
									placeholder={words.filter}
									aria-label={words.filter}
								/>
							</label>
						</div>
					)}
					<ReadAsOf value={readAsOf}>
						{firstOf(groupPlans(shown, stateOf), rendered).map((one) => (
							<Group key={one.group} {...one} {...{ nameOf, stateOf }} />
						))}
					</ReadAsOf>
					{plans.length > 0 && shown.length === 0 && <p className="muted">{words.noMatch}</p>}
				</div>
			</div>
		</main>
	);
}

/** While the bridge isn't reporting its plans, says when it last did. */
function AsOfChip({ asOf }: { readonly asOf: string }) {
	return (
		<span className="chip st st-unk" title={words.asOfSay}>
			<Icon of={WifiOff} />
			{fill(words.asOf, { time: formatTime(asOf) })}
		</span>
	);
}

interface FilterBarProps {
	readonly filter: Filter;
	setFilter(filter: Filter): void;
	readonly counts: Readonly<Record<Filter, number>>;
}

function FilterBar({ filter, setFilter, counts }: FilterBarProps) {
	const names = Object.keys(words.filters) as Filter[];
	return (
		<fieldset className="seg" aria-label={words.show}>
			{names.map((name) => (
				<button key={name} type="button" aria-pressed={name === filter} onClick={() => setFilter(name)}>
					{words.filters[name]} <span className="muted normal">{counts[name]}</span>
				</button>
			))}
		</fieldset>
	);
}

interface GroupProps {
	readonly group: PlanGroup;
	readonly plans: readonly Plan[];
	/** How many of the plans are rendered so far. */
	readonly rendered: number;
	readonly nameOf: NameOf;
	readonly stateOf: StateOf;
}

function Group({ group, plans, rendered, nameOf, stateOf }: GroupProps) {
	const id = useId();
	return (
		<section className="block" aria-labelledby={id}>
			<h2 id={id}>
				{words.groups[group]} <span className={group === "needs" ? "count" : "muted num normal"}>{plans.length}</span>
			</h2>
			<div className="wps">
				{plans.slice(0, rendered).map((plan) => (
					<PlanCard key={plan.planId} {...{ plan, nameOf }} isAsking={stateOf(plan) === "asks"} openMenu={openPlanMenu} />
				))}
			</div>
		</section>
	);
}

/** The groups that the first `count` plans belong to, each with how many of those plans it contains. */
function firstOf(groups: ReturnType<typeof groupPlans>, count: number): readonly Omit<GroupProps, "nameOf" | "stateOf">[] {
	let left = count;
	return groups.flatMap(({ group, plans }) => {
		const rendered = Math.min(plans.length, left);
		left -= rendered;
		return rendered === 0 ? [] : [{ group, plans, rendered }];
	});
}

function isOf(plan: Plan, filter: Filter, stateOf: StateOf): boolean {
	const { status } = plan;
	switch (filter) {
		case "all":
			return true;
		case "needs":
			return needsUser(plan, { status: stateOf(plan) });
		case "running":
			return stateOf(plan) === "running";
		case "scheduled":
			return stateOf(plan) === "pending";
		case "paused":
			return status === "paused";
		case "finished":
			return status === "completed" || status === "failed";
	}
}

function countsOf(plans: readonly Plan[], stateOf: StateOf): Readonly<Record<Filter, number>> {
	const count = (filter: Filter) => plans.filter((plan) => isOf(plan, filter, stateOf)).length;
	return {
		all: plans.length,
		needs: count("needs"),
		running: count("running"),
		scheduled: count("scheduled"),
		paused: count("paused"),
		finished: count("finished"),
	};
}

function matches({ title, delivery }: Plan, text: string, nameOf: NameOf): boolean {
	const wanted = text.trim().toLocaleLowerCase();
	if (wanted === "") return true;
	const names = delivery.flatMap((message) => [channelWords[message.channel], nameOf(message) ?? message.recipient ?? ""]);
	return [title, ...names].some((name) => name.toLocaleLowerCase().includes(wanted));
}

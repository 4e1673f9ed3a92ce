import type { Plan, PlanId, PlanUpdate } from "@xworkmate/contracts";
import { TriangleAlert } from "lucide-react";
import { type CSSProperties, useCallback, useMemo, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { planLogWords as words } from "../../strings/plans/plan-log-words.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { callApp } from "../connection/call-app.ts";
import { useRequest } from "../keys/keys.ts";
import { AsOfLine } from "../plans/as-of-line.tsx";
import { PlanChip } from "../plans/plan-card.tsx";
import { ReadAsOf, usePlanRead } from "../plans/use-plans.ts";
import { go, hrefOf } from "../state/route.ts";
import { formatClockTime } from "../text/format.ts";
import { oneLine, visibleName } from "../text/visible-text.ts";
import { logOfUpdates, type PlanLogEntry } from "./log-of-updates.ts";

/** How many of the newest entries of a plan's log are read. */
const SHOWN = 1_000;
const PAGE = 200;

/** The events of a plan, newest first, each with who caused it and whom it concerned. */
export default function PlanLogPage({ planId }: { readonly planId: string }) {
	const [isProblems, setProblems] = useState(false);
	const ask = useCallback(() => readLog(planId as PlanId), [planId]);
	const { value, problem, asOf, read } = usePlanRead(ask, planId);
	const leave = useCallback(() => go({ page: "plan", planId }), [planId]);
	useRequest("close", leave);
	const entries = useMemo(() => (value === undefined ? [] : logOfUpdates(value.updates).toReversed()), [value]);
	const problems = entries.filter(isProblem);
	const shown = isProblems ? problems : entries;
	return (
		<ReadAsOf value={asOf}>
			<main className="main" tabIndex={-1}>
				<PageBar
					title={value === undefined ? words.title : visibleName(value.plan.title)}
					say={`${words.title}, ${words.newest}`}
					back={{ href: hrefOf({ page: "plan", planId }), label: words.back }}
					{...(value && { chip: <PlanChip plan={value.plan} /> })}
				>
					<fieldset className="seg" aria-label={words.show}>
						<button type="button" aria-pressed={!isProblems} onClick={() => setProblems(false)}>
							{words.all} <span className="muted normal">{entries.length}</span>
						</button>
						<button type="button" aria-pressed={isProblems} onClick={() => setProblems(true)}>
							<Icon of={TriangleAlert} small />
							{words.problems} <span className="muted normal">{problems.length}</span>
						</button>
					</fieldset>
				</PageBar>
				{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reachable by keyboard */}
				<section className="scroll lanes" style={{ "--lanes": words.lanes.length } as CSSProperties} aria-label={words.title} tabIndex={0}>
					<ReadState isRead={value !== undefined} {...{ problem, words, read }} />
					{value !== undefined && <AsOfLine />}
					<div className="ev pl head" aria-hidden="true">
						<span className="at">{words.time}</span>
						<span className="tr">
							{words.lanes.map((name) => (
								<span key={name}>{name}</span>
							))}
						</span>
						<span>{words.happened}</span>
						<span>{words.number}</span>
					</div>
					<ol aria-label={words.happened}>
						{shown.map((entry) => (
							<Entry key={`${entry.seq} ${entry.nth}`} entry={entry} />
						))}
					</ol>
					{value !== undefined && shown.length === 0 && <p className="opt-say muted">{words.none}</p>}
					{value?.isCut === true && <p className="opt-say muted">{words.cut}</p>}
				</section>
			</main>
		</ReadAsOf>
	);
}

function Entry({ entry: { seq, at, from, to, tone, title, say } }: { readonly entry: PlanLogEntry }) {
	const place = { "--a": from, "--b": to ?? from } as CSSProperties;
	const name = to === undefined ? words.lanes[from] : fill(words.to, { from: words.lanes[from], to: words.lanes[to] });
	return (
		<li className={`ev pl ${tone}`}>
			<time className="at" dateTime={at} title={formatClockTime(at)}>
				{formatClockTime(at).slice(-12, -4)}
			</time>
			<span className="tr" style={place} aria-hidden="true">
				{to !== undefined && <span className="hopline" />}
				{to !== undefined && <span className={`tip ${to < from ? "left" : ""}`} />}
				<span className="dot" />
			</span>
			<span className="what">
				<span className="hopname">{name}</span> <b>{title}</b> <span className="d">{oneLine(say)}</span>
			</span>
			<span className="num small muted">{seq}</span>
		</li>
	);
}

function isProblem({ tone }: PlanLogEntry): boolean {
	return tone === "warn" || tone === "bad";
}

interface ReadLog {
	readonly plan: Plan;
	readonly updates: readonly PlanUpdate[];
	/** True if there are older entries. */
	readonly isCut: boolean;
}

async function readLog(planId: PlanId): Promise<ReadLog> {
	const plan = await callApp("plan", { planId });
	const begin = Math.max(0, plan.lastSeq - SHOWN);
	const updates: PlanUpdate[] = [];
	for (let afterSeq = begin; updates.length < SHOWN; afterSeq = updates.at(-1)?.seq ?? afterSeq) {
		const { items } = await callApp("planUpdates", { planId, afterSeq, limit: PAGE });
		updates.push(...items);
		if (items.length < PAGE) break;
	}
	return { plan, updates, isCut: begin > 0 };
}

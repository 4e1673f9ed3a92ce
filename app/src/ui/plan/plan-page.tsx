import type { Plan } from "@xworkmate/contracts";
import { Ellipsis, History, Pause, Play, ScrollText } from "lucide-react";
import { useCallback } from "react";
import { fill } from "../../strings/interface.ts";
import { planLogWords } from "../../strings/plans/plan-log-words.ts";
import { passedWhilePaused, passedWords } from "../../strings/plans/plan-words.ts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { restoredWords } from "../../strings/plans/restored-words.ts";
import { capitalized } from "../../text/capital.ts";
import { localTime } from "../../text/local-time.ts";
import { termsOf } from "../../text/plans/plan-terms.ts";
import { unreadyOf } from "../../text/plans/unready-of.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { useRequest } from "../keys/keys.ts";
import { AgentAsks } from "../plans/agent-asks.tsx";
import { AsOf } from "../plans/as-of.tsx";
import { AsOfLine } from "../plans/as-of-line.tsx";
import { nextDueWords } from "../plans/next-due.ts";
import { OthersWaiting } from "../plans/others-waiting.tsx";
import { isPausable, runNow, togglePaused } from "../plans/plan-actions.ts";
import { ChannelName, PlanChip } from "../plans/plan-card.tsx";
import { openPlanMenu } from "../plans/plan-menu-state.ts";
import { PlanWork } from "../plans/plan-work.tsx";
import { type NameOf, useRecipientNames } from "../plans/recipient-names.ts";
import { UnreadyChannel } from "../plans/unready-channel.tsx";
import { useOccurrences } from "../plans/use-occurrences.ts";
import { ReadAsOf, usePlansAsOf } from "../plans/use-plans.ts";
import { useChannels } from "../plans/use-recipients.ts";
import { useProviders } from "../state/app-context.tsx";
import { go, hrefOf, stay } from "../state/route.ts";
import { useClock } from "../state/use-clock.ts";
import { formatTime } from "../text/format.ts";
import { withKeys } from "../text/key-names.ts";
import { visibleName } from "../text/visible-text.ts";
import { OccurrenceView } from "./occurrence-view.tsx";
import { OthersOpen } from "./others-open.tsx";
import { PlanHistory } from "./plan-history.tsx";

interface PlanPageProps {
	readonly planId: string;
	/** Absent for the newest occurrence. */
	readonly occurrenceId?: string;
	readonly hasHistory: boolean;
}

/** A plan: what it is to do, and the occurrence that the address names or, if it names none, the newest. */
export default function PlanPage({ planId, occurrenceId, hasHistory }: PlanPageProps) {
	const { value, shown, isGone, problem, asOf, read, readOlder } = useOccurrences(planId, occurrenceId);
	const nameOf = useRecipientNames();
	const title = value === undefined ? words.one : visibleName(value.plan.title);
	const toggle = useCallback(
		() => stay({ page: "plan", planId, ...(occurrenceId && { occurrenceId }), ...(!hasHistory && { history: true }) }),
		[planId, occurrenceId, hasHistory],
	);
	const openLog = useCallback(() => go({ page: "plan-log", planId }), [planId]);
	useRequest("files", toggle);
	useRequest("log", openLog);
	return (
		<ReadAsOf value={asOf}>
			<main className="main" tabIndex={-1}>
				<PageBar
					title={title}
					back={{ href: hrefOf({ page: "plans" }), label: words.back }}
					{...(value && { chip: <PlanChip plan={value.plan} /> })}
				>
					<button type="button" className="btn quiet" aria-pressed={hasHistory} title={withKeys(words.history, "Mod+J")} onClick={toggle}>
						<Icon of={History} />
						<span className="vh-n">{words.history}</span>
						{value !== undefined && (
							<span className="num">{`${value.occurrences.length}${value.nextCursor === undefined ? "" : "+"}`}</span>
						)}
					</button>
					<a className="btn quiet" href={hrefOf({ page: "plan-log", planId })} title={withKeys(planLogWords.title, "Mod+L")}>
						<Icon of={ScrollText} />
						<span className="vh-n">{planLogWords.title}</span>
					</a>
					{value !== undefined && (
						<button
							type="button"
							className="ib"
							aria-haspopup="menu"
							aria-label={words.moreActions}
							onClick={(event) => openPlanMenu(value.plan, event.currentTarget)}
						>
							<Icon of={Ellipsis} />
						</button>
					)}
				</PageBar>
				<div className="scroll">
					<div className="page">
						<ReadState isRead={value !== undefined} {...{ problem, words, read }} />
						{value !== undefined && <AsOfLine />}
						{value !== undefined && <Terms plan={value.plan} nameOf={nameOf} />}
						{value !== undefined && <AgentAsks plan={value.plan} />}
						{value?.occurrences.length === 0 && occurrenceId === undefined && <NotYet />}
						{isGone && <p className="muted">{words.gone}</p>}
						{value !== undefined && shown !== undefined && (
							<>
								<OthersWaiting plan={value.plan} occurrences={value.occurrences} shown={shown} />
								<OthersOpen plan={value.plan} occurrences={value.occurrences} shown={shown} />
								<OccurrenceView {...{ nameOf }} plan={value.plan} occurrence={shown} />
							</>
						)}
					</div>
				</div>
			</main>
			{hasHistory && value !== undefined && (
				<PlanHistory
					plan={value.plan}
					occurrences={value.occurrences}
					{...(shown && { shown })}
					{...(value.nextCursor !== undefined && { readOlder })}
					close={toggle}
				/>
			)}
		</ReadAsOf>
	);
}

function NotYet() {
	const asOf = usePlansAsOf();
	return <p className="muted">{asOf === undefined ? words.notYet : fill(words.notYetAsOf, { time: formatTime(asOf) })}</p>;
}

interface TermsProps {
	readonly plan: Plan;
	readonly nameOf: NameOf;
}

/** What the plan is to do, when, and where its messages go. */
function Terms({ plan, nameOf }: TermsProps) {
	const providers = useProviders();
	const now = useClock();
	const agent = providers.find(({ providerId }) => providerId === plan.routing?.providerId)?.label;
	const { value: channels = [] } = useChannels();
	const isPaused = plan.status === "paused";
	const passed = passedWhilePaused(plan, now);
	const { work, delivery } = termsOf(plan);
	return (
		<div className="sum-h">
			<dl className="sum">
				<dt>{words.when}</dt>
				<dd>
					{capitalized(plan.scheduleWords)}
					{plan.nextDueAt !== undefined && (
						<span className="muted">
							{" "}
							{fill(words.nextAt, { time: nextDueWords(plan.nextDueAt, plan, now) })}
							<AsOf />
						</span>
					)}
					{isPaused && plan.pausedFor !== undefined && <p className="hint">{restoredWords.paused}.</p>}
					{passed !== undefined && <p className="hint">{fill(passedWords, { time: localTime(passed, now) })}</p>}
				</dd>
				{(work.length > 0 || plan.instructions.trim() !== "") && (
					<>
						<dt>{words.work}</dt>
						<dd className="stack2">
							<PlanWork
								instructions={plan.instructions}
								work={work}
								by={agent !== undefined && <span className="muted"> {fill(words.withAgent, { agent: visibleName(agent) })}</span>}
							/>
						</dd>
					</>
				)}
				<dt>{words.sendsTo}</dt>
				<dd className="flex wraps">
					{delivery.length === 0 && <span className="muted">{words.nobody}</span>}
					{delivery.map((action, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: what a plan sends has no ids and keeps its positions
						<ChannelName key={index} {...{ action, nameOf }} />
					))}
				</dd>
			</dl>
			{unreadyOf(plan, channels).map((channel) => (
				<UnreadyChannel key={channel.channel} {...{ channel }} />
			))}
			{plan.status !== "deleted" && (
				<div className="flex">
					<button
						type="button"
						className="btn"
						onKeyDown={(event) => event.repeat && event.preventDefault()}
						onClick={(event) => void runNow(plan, event)}
					>
						<Icon of={Play} />
						{words.actions.run}
					</button>
					{isPausable(plan) && (
						<button type="button" className="btn" onClick={() => void togglePaused(plan)}>
							<Icon of={isPaused ? Play : Pause} />
							{isPaused ? words.actions.resume : words.actions.pause}
						</button>
					)}
				</div>
			)}
		</div>
	);
}

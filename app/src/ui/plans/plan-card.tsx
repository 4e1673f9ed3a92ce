import type { DeliveryAction, Plan, WorkItem } from "@xworkmate/contracts";
import { Ellipsis } from "lucide-react";
import { memo, useId } from "react";
import { fill } from "../../strings/interface.ts";
import { planDoWords } from "../../strings/plans/plan-code-words.ts";
import {
	channelWords,
	deliveryState,
	deliveryStateWords,
	passedWhilePaused,
	planStatusWords,
	sentAtWords,
	stateBeforeDue,
} from "../../strings/plans/plan-words.ts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { statusBeforeDue, workStateOf, workStateWords } from "../../strings/plans/work-words.ts";
import { threadWords } from "../../strings/threads/thread-words.ts";
import { capitalized } from "../../text/capital.ts";
import { localTime } from "../../text/local-time.ts";
import { builtFor } from "../../text/plans/built-for.ts";
import { skippedWhy } from "../../text/plans/code-title.ts";
import { shortReason } from "../../text/plans/may-have-been-sent.ts";
import { planStateOf, runStateOf } from "../../text/plans/plan-runs.ts";
import { timedState } from "../../text/plans/timed-state.ts";
import { Icon } from "../components/icon.tsx";
import { hrefOf } from "../state/route.ts";
import { useClock } from "../state/use-clock.ts";
import { oneLine, visibleName } from "../text/visible-text.ts";
import { AgentAsks } from "./agent-asks.tsx";
import { nextDueWords } from "./next-due.ts";
import { othersWait } from "./others-waiting.tsx";
import { channelIcons, deliveryLooks, planLooks, workLooks } from "./plan-look.ts";
import type { NameOf } from "./recipient-names.ts";
import { StateWord } from "./state-word.tsx";
import { useRunsNow } from "./use-runs-now.ts";

interface PlanCardProps {
	readonly plan: Plan;
	readonly nameOf: NameOf;
	/** True if a run of the plan is waiting for an answer from the user. */
	readonly isAsking: boolean;
	/** Opens the menu of the plan's actions. */
	openMenu(plan: Plan, button: HTMLElement): void;
}

/**
 * A plan as a card: what it does, where its messages go, and the state of each. When the list is rendered again, a card whose plan has not
 * changed is left as it is.
 */
export const PlanCard = memo(Card, isSame);

function isSame(before: PlanCardProps, { plan, nameOf, isAsking, openMenu }: PlanCardProps): boolean {
	const { planId, lastSeq } = before.plan;
	if (before.isAsking !== isAsking) return false;
	return planId === plan.planId && lastSeq === plan.lastSeq && before.nameOf === nameOf && before.openMenu === openMenu;
}

function Card({ plan, nameOf, isAsking, openMenu }: PlanCardProps) {
	const id = useId();
	const title = visibleName(plan.title);
	return (
		<article className={`wp ${isAsking || plan.needsReview > 0 ? "need" : ""}`} aria-labelledby={id}>
			<header>
				<h3 id={id}>
					<a className="nm" href={hrefOf({ page: "plan", planId: plan.planId })}>
						{title}
					</a>
				</h3>
				<span className="when">{capitalized(useWhen(plan))}</span>
				<PlanChip plan={plan} />
				<button
					type="button"
					className="ib"
					aria-haspopup="menu"
					aria-label={fill(words.more, { title })}
					onClick={(event) => openMenu(plan, event.currentTarget)}
				>
					<Icon of={Ellipsis} />
				</button>
			</header>
			<SkippedTime plan={plan} />
			<dl>
				{plan.work.length > 0 && (
					<>
						<dt>{words.work}</dt>
						<dd>
							<ul>
								{plan.work.map((item, index) => (
									// biome-ignore lint/suspicious/noArrayIndexKey: a plan's items have no ids and keep their positions
									<WorkRow key={index} {...{ plan, item }} />
								))}
							</ul>
						</dd>
					</>
				)}
				{plan.delivery.length > 0 && (
					<>
						<dt>{words.delivery}</dt>
						<dd>
							<ul>
								{plan.delivery.map((action, index) => (
									<DeliveryRow key={action.actionId} {...{ plan, action, nameOf }} before={plan.delivery[index - 1]} />
								))}
							</ul>
						</dd>
					</>
				)}
			</dl>
			<AgentAsks plan={plan} />
			{plan.occurrence !== undefined && othersWait(plan, plan.occurrence) && (
				<p className="hint">
					<a href={hrefOf({ page: "plan", planId: plan.planId })}>{words.earlierNeed}</a>
				</p>
			)}
		</article>
	);
}

/** Says which due time the card's work and messages are of, and why it was skipped, because the plan may be running for an earlier one. */
function SkippedTime({ plan: { occurrence } }: { readonly plan: Plan }) {
	const now = useClock();
	const why = occurrence && skippedWhy(occurrence);
	if (occurrence === undefined || why === undefined) return null;
	return <p className="hint">{fill(words.skippedAt, { time: localTime(occurrence.dueAt, now), why })}</p>;
}

/** When the plan is due, in words: its schedule, and the next time. */
function useWhen(plan: Plan): string {
	const { scheduleWords, nextDueAt, status, type } = plan;
	const now = useClock();
	if (status === "paused")
		return fill(passedWhilePaused(plan, now) === undefined ? words.paused : words.passed, { schedule: scheduleWords });
	if (nextDueAt === undefined || type !== "recurring") return scheduleWords;
	return fill(words.next, { schedule: scheduleWords, time: nextDueWords(nextDueAt, plan, now) });
}

function WorkRow({ plan, item }: { readonly plan: Plan; readonly item: WorkItem }) {
	const { occurrence } = plan;
	const now = useRunsNow();
	const state = workStateOf(item, occurrence?.status ?? statusBeforeDue(plan), occurrence && runStateOf(occurrence, now));
	return (
		<li>
			<StateWord look={workLooks[state]} word={workStateWords[state]} />
			<span className="what">{oneLine(item.description)}</span>
		</li>
	);
}

interface DeliveryRowProps {
	readonly plan: Plan;
	readonly action: DeliveryAction;
	/** The message in the row above. */
	readonly before: DeliveryAction | undefined;
	readonly nameOf: NameOf;
}

function DeliveryRow({ plan, action, before, nameOf }: DeliveryRowProps) {
	const now = useClock();
	const state = deliveryState(action, stateBeforeDue(plan));
	const isSame = action.status === "needs_review" && before?.status === "needs_review" && before.code === action.code;
	const { occurrence } = plan;
	return (
		<li>
			<StateWord look={deliveryLooks[state]} word={timedState(state, action, now, (time) => localTime(time, now))} />
			<span className="what">
				<ChannelName {...{ action, nameOf }} />
				<span className="why">{isSame ? words.sameReason : whyOf(action, now)}</span>
			</span>
			{occurrence !== undefined && !isSame && <RowAction {...{ plan, action }} occurrenceId={occurrence.occurrenceId} />}
		</li>
	);
}

/** The most important thing that the user can do about a message now. */
function RowAction({
	plan,
	action,
	occurrenceId,
}: {
	readonly plan: Plan;
	readonly action: DeliveryAction;
	readonly occurrenceId: string;
}) {
	const { planId } = plan;
	const { actionId } = action;
	if (action.status === "needs_review")
		return (
			<a className="btn" href={hrefOf({ page: "review", planId, occurrenceId, actionId })}>
				{words.review}
			</a>
		);
	if (action.status !== "unknown") return null;
	return (
		<a className="btn" href={hrefOf({ page: "plan", planId, occurrenceId })}>
			{planDoWords.did_it_arrive}
		</a>
	);
}

interface ChannelNameProps extends Pick<DeliveryRowProps, "nameOf"> {
	readonly action: Parameters<NameOf>[0];
}

/** A channel's icon and name, the recipient and, for a message that was built, the address. */
export function ChannelName({ action, nameOf }: ChannelNameProps) {
	const { channel } = action;
	const built = builtFor(action);
	const given = nameOf(action) ?? (built === undefined ? action.recipient : undefined);
	const name = given === undefined ? undefined : visibleName(given);
	return (
		<span className="ch">
			<Icon of={channelIcons[channel]} small />
			<b>{channelWords[channel]}</b>
			{channel !== "dashboard" && (name === undefined ? words.toYou : fill(words.to, { name }))}
			{built !== undefined && <span className="muted"> ({visibleName(built.address)})</span>}
		</span>
	);
}

/**
 * The reason for a message's state in a few words, such as the title of its code, the time at which it was sent, or the beginning of its
 * text.
 */
function whyOf(action: DeliveryAction, now: number): string {
	const { status, stage, attempts, notBefore, completedAt, content, later = [] } = action;
	const last = later.at(-1);
	// A report after the end, such as that a message that was sent did not arrive, matters more than the time at which it was sent.
	if (last !== undefined) return fill(words.laterSaid, { time: localTime(last.at, now), message: oneLine(last.message) });
	if (status === "completed") return completedAt === undefined ? "" : sentAtWords(action, localTime(completedAt, now));
	const title = shortReason(action);
	if (title !== undefined) return title === deliveryStateWords[deliveryState(action)] ? "" : title;
	if (status === "sending" && stage === "accepted") return words.notConfirmed;
	if (notBefore !== undefined) return fill(words.attempt, { count: attempts, most: 8 });
	if (status === "pending" && content !== undefined) return fill(words.quote, { text: oneLine(content).slice(0, 80) });
	return "";
}

/** The state of a plan. */
export function PlanChip({ plan }: { readonly plan: Plan }) {
	const { status, isStopping, waits } = planStateOf(plan, useRunsNow());
	if (isStopping) return <StateWord look={planLooks.running} word={threadWords.run.stopAsked} isChip />;
	if (waits !== undefined) return <StateWord look={workLooks[waits]} word={workStateWords[waits]} isChip />;
	return <StateWord look={planLooks[status]} word={planStatusWords[status]} isChip />;
}

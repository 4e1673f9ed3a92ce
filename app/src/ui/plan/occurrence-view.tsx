import type { DeliveryAction, Occurrence, Plan } from "@xworkmate/contracts";
import { ExternalLink, Info } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { planDoWords } from "../../strings/plans/plan-code-words.ts";
import {
	begunAgainWords,
	deliveryState,
	deliveryStateWords,
	hasBegunAgain,
	sentAtWords,
	settledNotSent,
} from "../../strings/plans/plan-words.ts";
import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { notBegunWords, workStateOf, workStateWords } from "../../strings/plans/work-words.ts";
import { storedFix } from "../../strings/stored-fix.ts";
import { localTime } from "../../text/local-time.ts";
import { afterAllWords } from "../../text/plans/after-all.ts";
import { codeTitle, skippedWhy } from "../../text/plans/code-title.ts";
import { mayHaveBeenSentLines } from "../../text/plans/may-have-been-sent.ts";
import { runStateOf } from "../../text/plans/plan-runs.ts";
import { timedState } from "../../text/plans/timed-state.ts";
import { failedCount } from "../../text/runs/failed-commands.ts";
import { Icon } from "../components/icon.tsx";
import { meaningOf } from "../plans/meaning-of.ts";
import { ChannelName } from "../plans/plan-card.tsx";
import { deliveryLooks, workLooks } from "../plans/plan-look.ts";
import type { NameOf } from "../plans/recipient-names.ts";
import { sentState } from "../plans/sent-state.ts";
import { StateWord } from "../plans/state-word.tsx";
import { useAgentOf } from "../plans/use-agent-of.ts";
import { usePlansAsOf } from "../plans/use-plans.ts";
import { useRunsNow } from "../plans/use-runs-now.ts";
import { InlineCode } from "../rich-text/inline-code.tsx";
import { useApp } from "../state/app-context.tsx";
import { hrefOf } from "../state/route.ts";
import { useClock } from "../state/use-clock.ts";
import { oneLine } from "../text/visible-text.ts";
import { DueTimeReview } from "./due-time-review.tsx";
import { OccurrenceMessages } from "./occurrence-messages.tsx";
import { OccurrenceWord } from "./occurrence-word.tsx";
import { stagesOf } from "./plan-stages.ts";
import { useFilesLine } from "./use-files-line.ts";

interface OccurrenceViewProps {
	readonly plan: Plan;
	readonly occurrence: Occurrence;
	readonly nameOf: NameOf;
}

/** An occurrence: how far it got, each delivery, the text of the message, and the work. */
export function OccurrenceView({ plan, occurrence, nameOf }: OccurrenceViewProps) {
	const now = useClock();
	const { occurrenceId, status, delivery, deliverable, work, runs, dueAt } = occurrence;
	const lastRun = runs.at(-1);
	const waits = lastRun?.waits;
	const run = runStateOf(occurrence, useRunsNow());
	const failed = useFailedCommands(lastRun);
	const whySkipped = skippedWhy(occurrence);
	const isAway = usePlansAsOf() !== undefined;
	return (
		<section className="occ" aria-labelledby={occurrenceId}>
			<header>
				<h2 id={occurrenceId}>{localTime(dueAt, now)}</h2>
				<OccurrenceWord occurrence={occurrence} />
				<span className="grow" />
				{runs.length > 0 && (
					<a className="btn quiet" href={hrefOf({ page: "thread", threadId: plan.threadId })}>
						<Icon of={ExternalLink} />
						{words.actions.thread}
					</a>
				)}
			</header>
			<ol className={`hops ${isAway ? "still" : ""}`} aria-label={words.stages}>
				{stagesOf(occurrence, run).map(({ name, state, isHere }) => (
					<li key={name} className={`hop ${state}`} aria-current={isHere ? "step" : undefined}>
						<span className="cut">{words.stageNames[name]}</span>
					</li>
				))}
			</ol>
			{run === "stopping" && <p className="hint">{words.stillRunning}</p>}
			{run === "waiting" && waits !== undefined && (
				<p className="hint">{fill(notBegunWords, { since: localTime(waits.since, now), why: oneLine(waits.message) })}</p>
			)}
			{whySkipped !== undefined && <p className="hint">{whySkipped}</p>}
			{delivery.length === 0 && status === "needs_review" && <DueTimeReview plan={plan} occurrence={occurrence} />}
			{delivery.length > 0 && (
				<div className="block">
					<h3>{words.delivery}</h3>
					<ul className="dlvs">
						{delivery.map((action) => (
							<Delivery key={action.actionId} {...{ plan, occurrence, action, nameOf }} />
						))}
					</ul>
				</div>
			)}
			<OccurrenceMessages {...{ occurrence, nameOf }} />
			{work.length > 0 && (
				<div className="block">
					<h3>{words.work}</h3>
					<ul className="stack2">
						{work.map((item, index) => {
							const state = workStateOf(item, status, run);
							return (
								// biome-ignore lint/suspicious/noArrayIndexKey: a plan's items have no ids and keep their positions
								<li key={index} className="flex">
									<StateWord look={workLooks[state]} word={workStateWords[state]} />
									<span>{oneLine(item.description)}</span>
								</li>
							);
						})}
					</ul>
					{status === "failed" && lastRun?.message !== undefined && <p className="hint">{oneLine(lastRun.message)}</p>}
					{failed > 0 && <p className="hint">{failedCount(failed)}</p>}
					{hasBegunAgain(occurrence) && <p className="hint">{begunAgainWords}</p>}
					{runs.length > 0 && deliverable?.source === "model" && <p className="hint">{words.workKept}</p>}
				</div>
			)}
		</section>
	);
}

/** How many commands the agent reported as failed in a run; 0 if the run isn't its thread's newest, the only one that the list counts. */
function useFailedCommands(run: Occurrence["runs"][number] | undefined): number {
	const { threads } = useApp().app;
	const thread = threads.find(({ threadId }) => threadId === run?.threadId);
	return thread?.lastTurn?.turnId === run?.turnId ? (thread?.failedCommands ?? 0) : 0;
}

interface DeliveryProps extends OccurrenceViewProps {
	readonly action: DeliveryAction;
}

/** A message: its state, what is known about it, and what can be done. */
function Delivery({ plan, occurrence, action, nameOf }: DeliveryProps) {
	const now = useClock();
	const { status, stage, proof, completedAt, providerMessageId, attempts, settledBy, later = [], channel } = action;
	const state = deliveryState(action);
	const title = codeTitle(action);
	const afterAll = afterAllWords(action, now);
	const fix = storedFix(action.fix);
	const meaning = meaningOf(action, useAgentOf(occurrence));
	const files = useFilesLine(occurrence, action);
	const facts = [
		...(title === undefined || title === deliveryStateWords[state] || afterAll !== undefined ? [] : [`${title}.`]),
		...(meaning === undefined || afterAll !== undefined ? [] : [meaning]),
		...(fix === undefined || afterAll !== undefined ? [] : [fix]),
		...mayHaveBeenSentLines(action),
		...(attempts > 1 ? [fill(words.attempts, { count: attempts })] : []),
		...(status === "sending" && stage === "accepted" ? [`${words.notConfirmed}.`] : []),
		...(channel === "whatsapp" && status === "completed" && proof === "accepted" ? [words.notTracked] : []),
		...(status === "unknown" ? [words.notAgain] : []),
		...(settledBy === undefined || afterAll !== undefined ? [] : [status === "failed" ? settledNotSent : words.settled]),
		...(channel === "dashboard" && status === "completed" ? [words.inInbox] : []),
		...(files === undefined ? [] : [files]),
		...(afterAll ?? later.map((one) => `${localTime(one.at, now)}: ${one.message}`)),
	];
	const tone = status === "unknown" ? "unk" : status === "needs_review" ? "need" : "";
	return (
		<li className={`dlv ${tone}`}>
			<StateWord look={deliveryLooks[state]} word={timedState(state, action, now, (time) => localTime(time, now))} />
			<span className="what">
				<ChannelName {...{ action, nameOf }} />
			</span>
			<time className="small muted">{completedAt === undefined ? "" : sentAtWords(action, localTime(completedAt, now))}</time>
			<ul className="proof">
				{facts.map((fact) => (
					<li key={fact}>
						<Icon of={Info} small />
						<span>
							<InlineCode text={fact} />
						</span>
					</li>
				))}
				{providerMessageId !== undefined && channel !== "dashboard" && (
					<li>
						<Icon of={Info} small />
						<code>{providerMessageId}</code>
					</li>
				)}
			</ul>
			<DeliveryActions {...{ plan, occurrence, action }} />
		</li>
	);
}

/** What the user can do about a message now. */
function DeliveryActions({ plan, occurrence, action }: Omit<DeliveryProps, "nameOf">) {
	const { planId } = plan;
	const { occurrenceId } = occurrence;
	const { actionId, status, payloadHash, channel } = action;
	const href = hrefOf({ page: "review", planId, occurrenceId, actionId });
	if (status === "needs_review")
		return (
			<div className="acts-r">
				<a className="btn pri" href={href}>
					{words.review}
				</a>
			</div>
		);
	if (status === "unknown")
		return (
			<div className="acts-r">
				<a className="btn pri" href={href}>
					{planDoWords.did_it_arrive}
				</a>
			</div>
		);
	// A message that was refused before it was handed over has no stored bytes; the page of the message shows its text and can send it again.
	const hasText = action.content !== undefined || occurrence.deliverable !== undefined;
	const isShown = payloadHash !== undefined || (status === "failed" && hasText);
	if (!isShown || channel === "dashboard") return null;
	return (
		<div className="acts-r">
			<a className="btn" href={href}>
				{words.showMessage[sentState(action)]}
			</a>
		</div>
	);
}

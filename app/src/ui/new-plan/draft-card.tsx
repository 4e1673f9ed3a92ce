import type { Channel, Contact, Routing } from "@xworkmate/contracts";
import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useId } from "react";
import { count, fill } from "../../strings/interface.ts";
import { newPlanWords as words } from "../../strings/plans/new-plan-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { capitalized } from "../../text/capital.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import { Icon } from "../components/icon.tsx";
import { ChannelName } from "../plans/plan-card.tsx";
import { PlanWork } from "../plans/plan-work.tsx";
import { type NameOf, recipientName } from "../plans/recipient-names.ts";
import { useProviderName } from "../state/app-context.tsx";
import { hrefOf } from "../state/route.ts";
import { oneLine, visibleName, visibleProse } from "../text/visible-text.ts";
import { type Answers, needsAgent, openProblems, type Problem, type ReadDraft } from "./draft-answers.ts";
import { DraftQuestion } from "./draft-question.tsx";
import { NextTimes, useSchedule } from "./next-times.tsx";
import { PlanRefusal } from "./plan-refusal.tsx";

interface DraftCardProps {
	readonly draft: ReadDraft;
	readonly problems: readonly Problem[];
	readonly answers: Answers;
	/** How many questions still have to be answered. */
	readonly left: number;
	readonly channels: readonly Channel[];
	readonly contacts: readonly Contact[];
	readonly routing: Routing | undefined;
	readonly isMaking: boolean;
	readonly refusal: unknown;
	readonly createTitle: string;
	answer(problem: number, choice: number): void;
	create(): void;
	openForm(): void;
}

/** Problems of a message that the draft leaves out: its channel isn't known, and each choice is the whole message. */
const addsMessage: ReadonlySet<Problem["code"]> = new Set(["CHANNEL_MISSING", "CHANNEL_UNKNOWN"]);

/** The plan that was read from a sentence, the questions that it leaves open, and the button that creates it. */
export function DraftCard(props: DraftCardProps) {
	const { draft, problems, answers, left, channels, contacts, routing, isMaking, refusal, createTitle, answer, create, openForm } = props;
	const id = useId();
	const why = useId();
	const agent = useProviderName(routing?.providerId);
	// The message that the answer adds may have a given text, so before the answer it is not known whether an agent is needed.
	const unplaced = openProblems(problems, answers).filter(({ code }) => addsMessage.has(code));
	const isUnplaced = unplaced.length > 0;
	// Without choices, the form is the only way to say where the message goes.
	const isAnsweredFirst = unplaced.some(({ choices }) => choices.length > 0);
	const isWorked = needsAgent(draft);
	const nameOf: NameOf = (message) => recipientName(message, contacts, channels);
	const asked = (isHere: (problem: Problem) => boolean) =>
		problems.map((problem, index) =>
			isHere(problem) ? (
				// biome-ignore lint/suspicious/noArrayIndexKey: problems of one draft have no ids and keep their positions
				<DraftQuestion key={index} problem={problem} chosen={answers[index]} choose={(choice) => answer(index, choice)} />
			) : null,
		);
	return (
		<section className="draft" aria-labelledby={id}>
			<header>
				<h2 id={id}>{words.draft}</h2>
				<span className="muted">{words.nothingYet}</span>
				<span className="grow" />
				<button
					type="button"
					className="btn quiet"
					disabled={isAnsweredFirst}
					{...(isAnsweredFirst && { "aria-describedby": why })}
					onClick={openForm}
				>
					<Icon of={SlidersHorizontal} />
					{words.openForm}
				</button>
			</header>
			<dl>
				<Row name={words.title}>{visibleName(draft.title)}</Row>
				<Row name={words.work}>
					{isUnplaced ? (
						<AnswerFirst />
					) : isWorked ? (
						<Work draft={draft} agent={visibleName(agent)} />
					) : (
						<span className="muted">{words.noWork}</span>
					)}
				</Row>
				{(draft.delivery.length > 0 || isUnplaced) && (
					<Row name={words.message}>
						{draft.delivery.length > 0 && <Messages draft={draft} />}
						{isUnplaced && <AnswerFirst />}
						{asked(({ code }) => code === "CONTENT_CHANGED")}
					</Row>
				)}
				<Row name={words.sendTo}>
					{draft.delivery.length === 0 && !isUnplaced && <span className="muted">{words.nobody}</span>}
					{draft.delivery.map((one, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a draft's messages have no ids and keep their positions
						<span key={index}>
							<ChannelName action={one} nameOf={nameOf} />
							<From said={draft.said.channels[index]} />
						</span>
					))}
					{isUnplaced && <AnswerFirst />}
					{asked(({ code }) => code !== "CONTENT_CHANGED" && !code.startsWith("TIME_"))}
				</Row>
				<Row name={words.when}>
					<When draft={draft} />
					{asked(({ code }) => code.startsWith("TIME_"))}
				</Row>
			</dl>
			<footer>
				{refusal !== undefined && <PlanRefusal error={refusal} />}
				<button
					type="button"
					className="btn lg pri"
					title={createTitle}
					aria-busy={isMaking}
					disabled={left > 0}
					{...(left > 0 && { "aria-describedby": why })}
					onClick={create}
				>
					{isMaking ? plansPageWords.form.creating : plansPageWords.form.create}
				</button>
				<span id={why} className="muted" aria-live="polite">
					{left > 0 ? sayCount(left, words.questionsLeft) : ""}
				</span>
				<span className="grow" />
				<a className="btn lg quiet" href={hrefOf({ page: "plans" })}>
					{plansPageWords.form.cancel}
				</a>
			</footer>
		</section>
	);
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
	return (
		<>
			<dt>{name}</dt>
			<dd className="stack2">{children}</dd>
		</>
	);
}

/** Shown in place of what depends on the answer to an open question. */
function AnswerFirst() {
	return <span className="muted">{words.pick}</span>;
}

function Work({ draft: { work, instructions }, agent }: { readonly draft: ReadDraft; readonly agent: string }) {
	return <PlanWork {...{ instructions, work }} by={<span className="from">{fill(words.withAgent, { agent })}</span>} />;
}

/** What will be sent: a given text, word for word, or what the agent writes. */
function Messages({ draft: { delivery } }: { readonly draft: ReadDraft }) {
	const given = delivery.filter(
		({ content }, index) => content !== undefined && delivery.findIndex((one) => one.content === content) === index,
	);
	const isWritten = needsAgent({ delivery });
	const isOne = given.length === 1 && !isWritten;
	return (
		<>
			{given.map(({ channel, content = "" }) => (
				<div key={content}>
					<div className="exact">{visibleProse(content)}</div>
					<span className="from">
						{fill(isOne ? words.exact : words.exactFor, {
							channel: channelWords[channel],
							characters: count([...content].length, "character"),
						})}
					</span>
				</div>
			))}
			{isWritten && <span>{words.byAgent}</span>}
		</>
	);
}

/** The words of the sentence from which a part of the plan was read. */
function From({ said }: { readonly said: string | undefined }) {
	return said === undefined || said === "" ? null : <span className="from">{fill(words.from, { words: oneLine(said) })}</span>;
}

function When({ draft }: { readonly draft: ReadDraft }) {
	const { type, scheduleWords, said, timezone } = draft;
	return (
		<>
			<span>
				{type === "immediate" ? words.now : capitalized(scheduleWords)}
				<From said={said.time} />
			</span>
			{hasTimes(draft) && <Times draft={draft} timezone={timezone} />}
		</>
	);
}

function hasTimes({ type, scheduledFor, cron }: ReadDraft): boolean {
	return type === "scheduled" ? scheduledFor !== undefined : type === "recurring" && cron !== undefined;
}

function Times({ draft, timezone }: { readonly draft: ReadDraft; readonly timezone: string }) {
	const { type, scheduledFor, cron } = draft;
	const { schedule, problem } = useSchedule({
		type,
		timezone,
		...(type === "scheduled" && { scheduledFor }),
		...(type === "recurring" && { cron }),
	});
	return (
		<>
			{problem !== undefined && <p className="err">{problem}</p>}
			<NextTimes schedule={schedule} timezone={timezone} />
		</>
	);
}

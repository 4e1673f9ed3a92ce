import type { AnswerSegments, ReceiptId } from "@xworkmate/contracts";
import { deliverablePieces } from "@xworkmate/contracts/deliverable-tags";
import { Check, CircleDashed } from "lucide-react";
import { createContext, Fragment, memo, useContext, useState } from "react";
import { groundingWords } from "../../strings/calls/call-words.ts";
import { fill, words } from "../../strings/interface.ts";
import { cutLine } from "../../text/cut-line.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import { isUnanswered } from "../../text/runs/is-unanswered.ts";
import { commonReason, mayBeMore, type UnverifiedSentence, unverifiedSentences } from "../../text/runs/why-unverified.ts";
import { Icon } from "../components/icon.tsx";
import { CallTrail } from "../receipts/trail.tsx";
import { MessageText } from "../rich-text/message-text.tsx";
import { QuietRow } from "../run/tool-call-row.tsx";
import { hrefOf } from "../state/route.ts";
import { rangesWithin, type TextRange } from "../text/marked-text.ts";
import { visibleName, visibleProse } from "../text/visible-text.ts";
import { answerParts, type CheckedAnswer, claimsIn, segmentsOf } from "../turn/checked-answer.ts";
import { lastMessage, type TurnItem } from "../turn/turn-view.ts";

interface AnswerTextProps {
	readonly text: string;
	readonly live: boolean;
	readonly marks?: readonly TextRange[];
	readonly segments?: AnswerSegments;
}

const Said = memo(MessageText);

/** The maximum number of characters of a sentence that are quoted with its reason. */
const SENTENCE = 300;

/** The plan that the turn belongs to; undefined if there is none. */
export const PlanOfTurn = createContext<string | undefined>(undefined);

/** True in a turn whose run did not succeed. Its message is only a draft, because a plan does not send messages of such a run. */
export const IsUnfinished = createContext(false);

/** A message of the run. Where the bridge reports an action, a reference opens the receipts of the action in place. */
export function AnswerText({ text, live, marks, segments }: AnswerTextProps) {
	const planId = useContext(PlanOfTurn);
	if (segments === undefined && planId !== undefined)
		return <PlanAnswer planId={planId} text={text} live={live} {...(marks && { marks })} />;
	if (segments === undefined) return <Said text={text} live={live} {...(marks && marks.length > 0 && { marks })} />;
	return segments.map((segment, index) => {
		const key = `${index}`;
		if ("receiptId" in segment) return <Cited key={key} receiptId={segment.receiptId} words={segment.words} />;
		return segment.text.trim() === "" ? null : <Said key={key} text={segment.text} live={live} />;
	});
}

/** An agent's answer in a plan's turn. The message is set off from the rest, because only the message may be sent. */
function PlanAnswer({ planId, text, live, marks = [] }: Omit<AnswerTextProps, "segments"> & { readonly planId: string }) {
	const pieces = deliverablePieces(text);
	const title = useContext(IsUnfinished) ? words.thread.planDraft : words.thread.planMessage;
	return pieces.map(({ kind, from, to }, index) => {
		const own = rangesWithin(marks, from, to);
		const isLast = index === pieces.length - 1;
		const said = <Said text={text.slice(from, to)} live={live && isLast} {...(own.length > 0 && { marks: own })} />;
		const key = `${index}`;
		if (kind === "work") return <Fragment key={key}>{said}</Fragment>;
		return (
			<figure key={key} className="msg" aria-label={title}>
				{said}
				<footer>
					<span>{title}</span>
					<span className="grow" />
					<a href={hrefOf({ page: "plan", planId })}>{words.thread.planOfMessage}</a>
				</footer>
			</figure>
		);
	});
}

function Cited({ receiptId, words }: { readonly receiptId: ReceiptId; readonly words: string }) {
	const [isOpen, setOpen] = useState(false);
	const n = receiptId.split(".").at(-1) ?? "";
	return (
		<div className="cited">
			<p dir="auto">
				<span className="cite">{visibleName(words)}</span>{" "}
				<button
					type="button"
					className="ref"
					aria-expanded={isOpen}
					aria-label={fill(groundingWords.proof, { n, what: visibleName(words) })}
					onClick={() => setOpen(!isOpen)}
				>
					<Icon of={Check} small />
					{n}
				</button>
			</p>
			{isOpen && <CallTrail receiptId={receiptId} />}
		</div>
	);
}

type AnswerLooks = ReadonlyMap<string, Pick<AnswerTextProps, "marks" | "segments">>;

/** The same map is always used, because a different map would cause every message of a run to be rendered again. */
const noLooks: AnswerLooks = new Map();

/**
 * How the messages of the answer are shown, by the item's key. This is known only at the end, when the messages have already been rendered.
 */
export const AnswerLook = createContext(noLooks);

/** The marks and segments of each message of the answer, and the marks in earlier messages that the check quotes, by the item's key. */
export function answerLooks(items: readonly TurnItem[], checked: CheckedAnswer | undefined): AnswerLooks {
	const answer = checked === undefined ? undefined : lastMessage(items);
	if (checked === undefined || answer === undefined) return noLooks;
	const messages = [...answer.parts].flatMap((item) => (item.kind === "message" ? [item] : []));
	const segments = messages.length === 1 ? segmentsOf(answer.text, checked) : undefined;
	const looks: readonly (readonly [string, Pick<AnswerTextProps, "marks" | "segments">])[] = answerParts(messages, claimsIn(checked)).map(
		({ key, marks }) => [key, { marks, ...(segments && { segments }) }],
	);
	return new Map([
		...earlierMarks(
			items.filter((item) => !answer.parts.has(item)),
			checked,
		),
		...looks,
	]);
}

/** The marks in the messages before the answer, at the sentences that the check quotes. */
function earlierMarks(items: readonly TurnItem[], { grounding }: CheckedAnswer) {
	const said =
		grounding.state === "unverified" ? grounding.problems.flatMap(({ said: quoted = "" }) => (quoted === "" ? [] : [quoted])) : [];
	return items.flatMap((item) => {
		if (item.kind !== "message" || said.length === 0) return [];
		const found = said.map((quoted) => ({ start: item.text.indexOf(quoted), end: item.text.indexOf(quoted) + quoted.length }));
		const marks = found.filter(({ start }) => start !== -1).sort((one, other) => one.start - other.start);
		return marks.length === 0 ? [] : [[item.key, { marks }] as const];
	});
}

export function SaidItem({ item, live }: { readonly item: Extract<TurnItem, { kind: "message" }>; readonly live: boolean }) {
	return <AnswerText text={item.text} live={live} {...useContext(AnswerLook).get(item.key)} />;
}

interface GroundingNoteProps {
	readonly checked: CheckedAnswer;
	readonly items: readonly TurnItem[];
	/** The answer that was checked, if the items do not contain it because the run's last updates are missing. */
	readonly answer?: string;
}

/** Why sentences of the answer are marked, or why the bridge wrote the answer. */
export function GroundingNote({ checked: { grounding }, items, answer }: GroundingNoteProps) {
	const { state, problems } = grounding;
	if (state === "replaced") {
		const isAlone = isUnanswered(grounding);
		const said = isAlone || answer !== undefined ? undefined : items.findLast((item) => item.kind === "thought");
		return (
			<div className="note unk">
				<Icon of={CircleDashed} />
				<div className="grow">
					<p>
						<b>{groundingWords.oursLead}</b> {isAlone ? groundingWords.oursAlone : groundingWords.ours}
					</p>
					{said?.kind === "thought" && (
						<QuietRow
							icon={CircleDashed}
							word={groundingWords.said}
							items={[said]}
							body={() => <p className="fold pre claim">{visibleProse(said.text)}</p>}
						/>
					)}
				</div>
			</div>
		);
	}
	if (state !== "unverified") return null;
	const count = problems.length;
	const sentences = unverifiedSentences(problems, answer ?? lastMessage(items)?.text ?? "");
	// A message before the answer may be folded, so its sentences are quoted.
	const common = problems.some(({ said }) => said !== undefined) ? undefined : commonReason(sentences);
	if (common === undefined) return <EachReason sentences={sentences} />;
	const isOne = count === 1;
	const many = mayBeMore(problems) ? groundingWords.manyOrMore : groundingWords.many;
	const why = !isOne && common.why === groundingWords.noAction ? groundingWords.noActionMany : common.why;
	return (
		<div className="note unk">
			<Icon of={CircleDashed} />
			<p className="grow">
				<b>{groundingWords.lead}</b> {fill(isOne ? groundingWords.one : many, { count, why })}
				{common.mayBeTrue && ` ${isOne ? groundingWords.mayBeTrue.one : groundingWords.mayBeTrue.many}`}
			</p>
		</div>
	);
}

/** A sentence without Markdown's marks for bold text. The sentence may contain only the closing mark. */
function withoutBold(said: string): string {
	return said.replace(/\*\*([^*\n]{1,200})\*\*/g, "$1").replace(/(?<=[^\s*/])\*\*(?=[\s.,;:!?]|$)/g, "");
}

/**
 * The sentences that could not be verified, each with its reason. Shown if the reasons differ, or if any of the sentences is in a message
 * before the answer.
 */
function EachReason({ sentences }: { readonly sentences: readonly UnverifiedSentence[] }) {
	const { each, eachOrMore } = groundingWords;
	return (
		<div className="note unk">
			<Icon of={CircleDashed} />
			<div className="grow">
				<p>
					<b>{groundingWords.lead}</b> {sayCount(sentences.length, mayBeMore(sentences) ? { ...each, many: eachOrMore } : each)}
				</p>
				<ul>
					{sentences.map(({ said, why, mayBeTrue }, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: sentences are in the order of the text
						<li key={index}>
							{said === "" ? why : fill(groundingWords.eachOf, { said: visibleProse(cutLine(withoutBold(said), SENTENCE)), why })}
							{mayBeTrue && ` ${groundingWords.mayBeTrue.one}`}
						</li>
					))}
				</ul>
			</div>
		</div>
	);
}

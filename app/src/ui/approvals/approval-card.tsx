import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import { isPermission } from "@xworkmate/contracts/is-permission";
import { PLAN_TOOL } from "@xworkmate/contracts/made-plan";
import { Check, Clock3, Hand, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { callWords, planAsk, riskWords } from "../../strings/calls/call-words.ts";
import { fill, words } from "../../strings/interface.ts";
import { toolWords } from "../../strings/runs/states.ts";
import { namedCall, requestName } from "../../text/calls/asked-view.ts";
import { requestLimits } from "../../text/calls/request-limits.ts";
import { Icon } from "../components/icon.tsx";
import { isJustMoved } from "../state/moved-focus.ts";
import { formatClock, formatSpan, formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { answerOf } from "./answer-of.ts";
import { AskedInput } from "./asked-input.tsx";
import { type CallFacts, unread } from "./call-facts.ts";
import { ChangedCall } from "./changed-call.tsx";
import { grantOffer } from "./grant-hint.ts";
import { TypedCall } from "./typed-call.tsx";

interface ApprovalCardProps {
	readonly approval: Approval;
	readonly provider: string;
	/** The time by the bridge's clock. */
	readonly now: number;
	readonly where?: string;
	readonly singleKeys: boolean;
	/** The answer that this page is sending, if any. */
	readonly answering?: ApprovalDecision;
	readonly problem?: string;
	/** True while contact with the run is lost, so that it is unknown whether the request is still open. */
	readonly isLost?: boolean;
	/** Present for a typed call. */
	readonly facts?: CallFacts;
	/** True if the request was open on this page, so that its answer replaces it in the same place. */
	readonly stays?: boolean;
	/** True for a row of a card that shows several requests of a run and says what they have in common. */
	readonly inGroup?: boolean;
	decide(decision: ApprovalDecision): void;
}

const keyOf: Readonly<Record<string, ApprovalDecision>> = { a: "allow_once", w: "allow_window", d: "deny" };

/** An agent's complete request. Once answered, it becomes one line, unless it is a typed call that was open on this page. */
export function ApprovalCard(props: ApprovalCardProps) {
	const { approval, provider, now, isLost = false, stays = false, inGroup = false, facts = unread } = props;
	const [isFocused, setFocused] = useState(false);
	const [inputOpen, setInputOpen] = useState<boolean>();
	const isTyped = approval.toolId !== undefined;
	// Until the user has accepted the code, the tool's own description can't be trusted, so the whole input is shown.
	const isInputOpen = inputOpen ?? (facts.isRead && facts.code !== "accepted");
	const call = isTyped && <TypedCall {...{ approval, provider, facts, isLost, isInputOpen, setInputOpen, inGroup }} />;
	if (approval.state !== "pending") {
		if (!stays || !isTyped) return <AnsweredLine approval={approval} />;
		return inGroup ? <AnsweredRow approval={approval}>{call}</AnsweredRow> : <AnsweredCard approval={approval}>{call}</AnsweredCard>;
	}
	const isOver = Date.parse(approval.expiresAt) <= now;
	const title = titleOf(approval, provider);
	const isHeld = isTyped && !facts.isRead;
	const id = `ask-${approval.approvalId}`;
	return (
		<section
			className={inGroup ? "ask-row" : "out need rise"}
			data-approval={approval.approvalId}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: Alt+Y moves the focus here, and single letters answer
			tabIndex={0}
			aria-labelledby={id}
			onFocus={() => setFocused(true)}
			onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
			onKeyDown={(event) => {
				if (!props.singleKeys || event.ctrlKey || event.altKey || event.metaKey || event.nativeEvent.isComposing) return;
				// A letter is ignored if it is held down or typed just after the page moved the focus here, because it may be meant for the request
				// before this one.
				if (event.repeat || isJustMoved(event.currentTarget)) return;
				if (isTyped && event.key.toLowerCase() === "i") {
					event.preventDefault();
					setInputOpen(!isInputOpen);
					return;
				}
				const decision = keyOf[event.key.toLowerCase()];
				if (isHeld || isOver || decision === undefined || !isOffered(approval, decision) || props.answering !== undefined) return;
				event.preventDefault();
				props.decide(decision);
			}}
		>
			{inGroup ? (
				<h3 id={id} className="vh">
					{title}
				</h3>
			) : (
				<header>
					<span className="badge">
						<Icon of={Hand} />
					</span>
					<div className="grow">
						<h2 id={id}>{title}</h2>
						<p className="say">{isLost ? words.ask.lost : isTyped ? callWords.say : words.ask.say}</p>
					</div>
					{!isLost && (
						<span className="flex num strong nowrap left" title={fill(words.ask.closes, { time: formatTime(approval.expiresAt) })}>
							<Icon of={Clock3} small />
							{fill(words.ask.left, { time: formatClock(Date.parse(approval.expiresAt) - now) })}
						</span>
					)}
				</header>
			)}
			{call || <AskedInput approval={approval} provider={provider} where={props.where} isLost={isLost} />}
			<ChangedCall approvalId={approval.approvalId} />
			<Answers {...props} isShut={isOver || isHeld} isFocused={isFocused} />
		</section>
	);
}

/**
 * When an answered request disappears, the next one moves under the pointer, where the second click of a double click must not answer it.
 */
const SECOND_PRESS_MS = 500;
const SAME_PLACE_PX = 8;
let pressed = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0 };

/** True for the second click of a double click. A keyboard press has no position and a click count of 0, so it is never one. */
function isSecondPress({ timeStamp: at, clientX: x, clientY: y, detail }: MouseEvent): boolean {
	if (detail === 0) return false;
	const before = pressed;
	pressed = { at, x, y };
	return at - before.at < SECOND_PRESS_MS && Math.hypot(x - before.x, y - before.y) < SAME_PLACE_PX;
}

function titleOf(approval: Approval, provider: string): string {
	return fill(words.ask.title, { provider, what: askedOf(approval) });
}

/**
 * What is asked, in XWorkmate's own words, so that agents and tools can't choose them: a plan or the risk for a typed call, and the kind
 * for any other call.
 */
function askedOf(approval: Approval): string {
	const { toolId, risk } = approval;
	if (toolId === PLAN_TOOL) return planAsk;
	return toolId === undefined || risk === undefined ? toolWords[namedCall(approval).toolKind].ask : riskWords[risk].ask;
}

interface AnswersProps extends ApprovalCardProps {
	/** True if nothing can be answered, because the request has expired or its details are still being read. */
	readonly isShut: boolean;
	/**
	 * The letter keys answer only while the focus is in the card. Their hints take no space, so that the buttons do not move when they
	 * appear.
	 */
	readonly isFocused: boolean;
}

function Answers({ approval, provider, answering, problem, singleKeys, isShut, isFocused, facts, decide }: AnswersProps) {
	const button = (decision: ApprovalDecision, text: string | undefined, letter: string, look: string) =>
		text !== undefined &&
		isOffered(approval, decision) && (
			<button
				type="button"
				className={`btn lg keyed ${look}`}
				disabled={isShut || answering !== undefined}
				onClick={(event) => isSecondPress(event.nativeEvent) || decide(decision)}
			>
				{text}
				{singleKeys && <kbd className={`hide-n ${isFocused ? "" : "unseen"}`}>{letter}</kbd>}
			</button>
		);
	return (
		<footer>
			{button("allow_once", words.ask.once, "A", "pri")}
			{button("allow_window", grantOffer(approval), "W", "ask-w")}
			{button("deny", words.ask.deny, "D", "")}
			{answering !== undefined && <span className="muted">{words.ask.answering}</span>}
			{problem !== undefined && (
				<span className="st st-bad wrap" role="alert">
					{problem}
				</span>
			)}
			{requestLimits(approval, visibleName(provider), visibleName).map((limit) => (
				<p key={limit} className="rest wrap">
					{limit}
				</p>
			))}
			{facts !== undefined && facts.code !== "gone" && facts.code !== "forbidden" && !approval.options.includes("allow_window") && (
				<span className="rest">{facts.code === "unaccepted" ? callWords.untilAccepted : callWords.everyTime}</span>
			)}
		</footer>
	);
}

/** A grant with an unknown scope has no label and is not offered, but an older bridge may still list it. */
function isOffered(approval: Approval, decision: ApprovalDecision): boolean {
	return approval.options.includes(decision) && (decision !== "allow_window" || grantOffer(approval) !== undefined);
}

function AnsweredLine({ approval }: { readonly approval: Approval }) {
	const { what, by, at } = answerOf(approval);
	const rest = [by, at].filter((part) => part !== "").join(", ");
	const allowed = isPermission(approval.decision);
	return (
		<p className="said decided">
			<Icon of={allowed ? Check : X} small />
			<span>
				<b className="strong">{what}</b>
				{rest === "" ? "" : ` ${rest}`}:{" "}
				{approval.words === undefined || approval.words === "" ? (
					<code>{visibleName(approval.toolId ?? requestName(approval))}</code>
				) : (
					visibleName(approval.words)
				)}
			</span>
		</p>
	);
}

/** An answered request, in its row. */
function AnsweredRow({ approval, children }: { readonly approval: Approval; readonly children: ReactNode }) {
	const { what, by, at } = answerOf(approval);
	const title = `${what} ${by}`.trim();
	return (
		<section className="ask-row answered" aria-label={title}>
			{children}
			<footer>
				<span className="answer">
					<Icon of={isPermission(approval.decision) ? Check : X} />
					{[title, at].filter((part) => part !== "").join(", ")}
				</span>
			</footer>
		</section>
	);
}

/** An answered request, in the place of the open one, until the user leaves the page. */
function AnsweredCard({ approval, children }: { readonly approval: Approval; readonly children: ReactNode }) {
	const { what, by } = answerOf(approval);
	const { requestedAt, decidedAt } = approval;
	const span = decidedAt === undefined ? undefined : formatSpan(Date.parse(decidedAt) - Date.parse(requestedAt));
	const title = `${what} ${by}`.trim();
	return (
		<section className="out answered" aria-label={title}>
			<header>
				<span className="badge">
					<Icon of={isPermission(approval.decision) ? Check : X} />
				</span>
				<div className="grow">
					<h2>{title}</h2>
					{decidedAt !== undefined && span !== undefined && (
						<p className="say">{fill(callWords.answeredAt, { time: formatTime(decidedAt), span })}</p>
					)}
				</div>
			</header>
			{children}
			<footer>
				<span className="answer">{what}</span>
			</footer>
		</section>
	);
}

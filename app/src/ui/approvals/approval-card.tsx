import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import { Check, Clock3, Hand, X } from "lucide-react";
import { useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { toolWords } from "../../strings/states.ts";
import { wholeMinutes } from "../../text/format-measure.ts";
import { Icon } from "../components/icon.tsx";
import { formatClock, formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { isYes } from "../turn/turn-view.ts";
import { AskedInput } from "./asked-input.tsx";
import { grantOffer, grantUsed } from "./grant-hint.ts";

interface ApprovalCardProps {
	readonly approval: Approval;
	readonly provider: string;
	/** The time by the bridge's clock. */
	readonly now: number;
	readonly where?: string;
	readonly singleKeys: boolean;
	/** Set while this page's answer is being sent. */
	readonly answering?: ApprovalDecision;
	readonly problem?: string;
	/** True while contact with its run is lost, so that it is unknown whether the request is still open. */
	readonly isLost?: boolean;
	decide(decision: ApprovalDecision): void;
}

const keyOf: Readonly<Record<string, ApprovalDecision>> = { a: "allow_once", w: "allow_window", d: "deny" };

/** An agent's complete request; once answered, one line with the answer. */
export function ApprovalCard(props: ApprovalCardProps) {
	const { approval, provider, now, isLost = false } = props;
	const [isFocused, setFocused] = useState(false);
	if (approval.state !== "pending") return <AnsweredLine approval={approval} />;
	const isOver = Date.parse(approval.expiresAt) <= now;
	const title = fill(words.ask.title, { provider, what: toolWords[approval.toolKind].ask });
	const id = `ask-${approval.approvalId}`;
	return (
		<section
			className="out need rise"
			data-approval={approval.approvalId}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: Alt+Y moves the focus here, and single letters answer
			tabIndex={0}
			aria-labelledby={id}
			onFocus={() => setFocused(true)}
			onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
			onKeyDown={(event) => {
				if (!props.singleKeys || event.ctrlKey || event.altKey || event.metaKey || event.nativeEvent.isComposing) return;
				const decision = keyOf[event.key.toLowerCase()];
				if (decision === undefined || !isOffered(approval, decision) || props.answering !== undefined) return;
				event.preventDefault();
				props.decide(decision);
			}}
		>
			<header>
				<span className="badge">
					<Icon of={Hand} />
				</span>
				<div className="grow">
					<h2 id={id}>{title}</h2>
					<p className="say">{isLost ? words.ask.lost : words.ask.say}</p>
				</div>
				{!isLost && (
					<span className="flex num strong nowrap left" title={fill(words.ask.closes, { time: formatTime(approval.expiresAt) })}>
						<Icon of={Clock3} small />
						{fill(words.ask.left, { time: formatClock(Date.parse(approval.expiresAt) - now) })}
					</span>
				)}
			</header>
			<AskedInput approval={approval} provider={provider} where={props.where} isLost={isLost} />
			<Answers {...props} isOver={isOver} isFocused={isFocused} />
		</section>
	);
}

/**
 * When an answered request disappears, the next one moves under the pointer: the second click of a double click must not answer it.
 */
const SECOND_PRESS_MS = 500;
const SAME_PLACE_PX = 8;
let pressed = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0 };

/** For pointer clicks only: keyboard presses have no position and a click count of 0. */
function isSecondPress({ timeStamp: at, clientX: x, clientY: y, detail }: MouseEvent): boolean {
	if (detail === 0) return false;
	const before = pressed;
	pressed = { at, x, y };
	return at - before.at < SECOND_PRESS_MS && Math.hypot(x - before.x, y - before.y) < SAME_PLACE_PX;
}

interface AnswersProps extends ApprovalCardProps {
	readonly isOver: boolean;
	/** The letters answer only while the focus is in the card. Their space is kept, so that a press does not move the buttons. */
	readonly isFocused: boolean;
}

function Answers({ approval, answering, problem, singleKeys, isOver, isFocused, decide }: AnswersProps) {
	const isShut = answering !== undefined || isOver;
	const button = (decision: ApprovalDecision, text: string | undefined, letter: string, look: string) =>
		text !== undefined &&
		isOffered(approval, decision) && (
			<button
				type="button"
				className={`btn lg ${look}`}
				disabled={isShut}
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
		</footer>
	);
}

/** A grant with an unknown scope has no label and is not offered; an older bridge may still list it. */
function isOffered(approval: Approval, decision: ApprovalDecision): boolean {
	return approval.options.includes(decision) && (decision !== "allow_window" || grantOffer(approval) !== undefined);
}

/** The recorded answer: who gave it, and when. */
export function answerOf(approval: Approval): { readonly what: string; readonly rest: string } {
	const { state, decision, decidedAt } = approval;
	if (state === "expired") return { what: words.ask.expired, rest: "" };
	if (state === "withdrawn" || decision === undefined) return { what: words.ask.withdrawn, rest: "" };
	const automatic = automaticOf(approval);
	const said = [automatic ?? whoOf(approval), decidedAt === undefined ? "" : formatTime(decidedAt)];
	const what = automatic === undefined ? doneWord(approval, decision) : words.ask.automatic;
	return { what, rest: said.filter((part) => part !== "").join(", ") };
}

/** A request with the bridge's token comes from the bridge's user. */
function whoOf({ decidedBy }: Approval): string {
	if (decidedBy === "gateway") return words.ask.onGateway;
	return decidedBy === "person" ? words.ask.byYou : "";
}

function doneWord({ windowSeconds = 0 }: Approval, decision: ApprovalDecision): string {
	if (decision === "deny") return words.ask.deny_done;
	return decision === "allow_once" ? words.ask.once_done : fill(words.ask.window_done, { minutes: wholeMinutes(windowSeconds) });
}

/** What allowed it without asking, according to the bridge's record: a grant, or the configuration. */
function automaticOf({ grant, decidedBy = "" }: Approval): string | undefined {
	if (grant !== undefined) return `(${grantUsed(grant)})`;
	if (decidedBy.startsWith("window:")) return `(${words.ask.byOldGrant})`;
	return decidedBy.startsWith("configuration:") ? words.ask.bySettings : undefined;
}

function AnsweredLine({ approval }: { readonly approval: Approval }) {
	const { what, rest } = answerOf(approval);
	const allowed = isYes(approval);
	return (
		<p className="said">
			<Icon of={allowed ? Check : X} small />
			<span>
				<b className="strong">{what}</b>
				{rest === "" ? "" : ` ${rest}`}: <code>{visibleName(approval.title)}</code>
			</span>
		</p>
	);
}

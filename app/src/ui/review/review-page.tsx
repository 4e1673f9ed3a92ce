import type { DeliveryAction, Occurrence, Plan } from "@xworkmate/contracts";
import { isDroppedInDoubt } from "@xworkmate/contracts/is-dropped";
import { canRerun } from "@xworkmate/contracts/waits-for-work";
import { Hand, Unplug } from "lucide-react";
import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { planCodeWords } from "../../strings/plans/plan-code-words.ts";
import { channelWords, deliveryState, untimedState } from "../../strings/plans/plan-words.ts";
import { reviewWords as words } from "../../strings/plans/review-words.ts";
import { storedFix } from "../../strings/stored-fix.ts";
import { afterAllWords } from "../../text/plans/after-all.ts";
import { codeTitle } from "../../text/plans/code-title.ts";
import { alsoHeldReasons } from "../../text/plans/held-reasons.ts";
import { mayHaveBeenSent, mayHaveBeenSentLines } from "../../text/plans/may-have-been-sent.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { useRequest } from "../keys/keys.ts";
import { AsOfLine } from "../plans/as-of-line.tsx";
import { meaningOf } from "../plans/meaning-of.ts";
import { ChannelName } from "../plans/plan-card.tsx";
import { channelIcons, deliveryLooks } from "../plans/plan-look.ts";
import { type NameOf, useRecipients } from "../plans/recipient-names.ts";
import { sentState } from "../plans/sent-state.ts";
import { StateWord } from "../plans/state-word.tsx";
import { useAgentOf } from "../plans/use-agent-of.ts";
import { ReadAsOf, usePlansAsOf } from "../plans/use-plans.ts";
import { InlineCode } from "../rich-text/inline-code.tsx";
import { useApp } from "../state/app-context.tsx";
import { preferences } from "../state/preferences.ts";
import { go, hrefOf } from "../state/route.ts";
import { useClock } from "../state/use-clock.ts";
import { visibleName } from "../text/visible-text.ts";
import { ChecksPanel } from "./checks-panel.tsx";
import { DecideBar } from "./decide-bar.tsx";
import { EditBar } from "./edit-bar.tsx";
import { MessageEditor } from "./message-editor.tsx";
import { MessagePreview, UnbuiltText } from "./message-preview.tsx";
import { refusedWords } from "./refused-words.ts";
import { SettledActions } from "./settled-actions.tsx";
import { useDecisions } from "./use-decisions.ts";
import { usePreview, useReviewed } from "./use-review.ts";

interface ReviewPageProps {
	readonly planId: string;
	readonly occurrenceId: string;
	/** Absent for the first held message or, if none is held, the first one. */
	readonly actionId?: string;
}

/** Exactly what would be sent, or was sent, and the decision about it. */
export default function ReviewPage({ planId, occurrenceId, actionId }: ReviewPageProps) {
	const { value, problem, asOf, read } = useReviewed(planId, occurrenceId);
	const delivery = value?.occurrence?.delivery ?? [];
	const action = delivery.find((one) => one.actionId === actionId) ?? delivery.find(isWaiting) ?? delivery[0];
	const title = value === undefined ? words.title : visibleName(value.plan.title);
	const back = { href: hrefOf({ page: "plan", planId, occurrenceId }), label: words.back };
	if (value?.occurrence === undefined || action === undefined)
		return (
			<main className="main" tabIndex={-1}>
				<PageBar title={title} back={back} />
				<div className="scroll">
					<div className="page">
						<ReadState isRead={value !== undefined} {...{ problem, words, read }} />
						{value !== undefined && <p className="muted">{words.gone}</p>}
					</div>
				</div>
			</main>
		);
	return (
		<ReadAsOf value={asOf}>
			<Reviewed key={action.actionId} plan={value.plan} occurrence={value.occurrence} {...{ action, back, read }} />
		</ReadAsOf>
	);
}

interface ReviewedProps {
	readonly plan: Plan;
	readonly occurrence: Occurrence;
	readonly action: DeliveryAction;
	readonly back: { readonly href: string; readonly label: string };
	read(): void;
}

function Reviewed({ plan, occurrence, action, back, read }: ReviewedProps) {
	const [typed, setTyped] = useState<string>();
	const editButton = useRef<HTMLButtonElement>(null);
	const { setPane } = useApp();
	const { nameOf, readAgain } = useRecipients();
	const agent = useAgentOf(occurrence);
	const canDecide = isWaiting(action);
	// A message that may have been decided on in the meantime is shown, but not offered for a decision.
	const isOld = usePlansAsOf() !== undefined;
	// Once a decision has been made elsewhere, the message is shown as it was decided on, without the text that the user has typed here.
	const { preview, problem, buildAgain } = usePreview(occurrence, action, canDecide ? typed : undefined);
	const { isBusy, decide, settle, resend } = useDecisions({
		occurrence,
		action,
		preview,
		isOld,
		read,
		typed,
		buildAgain: () => {
			readAgain();
			return buildAgain();
		},
		stopEditing: () => setTyped(undefined),
	});
	const state = deliveryState(action);
	const isEdited = canDecide && typed !== undefined;
	const { payloadHash } = action;
	// True if the preview is not of the stored bytes: the bridge could not read them, or is an older version that never does.
	const isRebuilt = !canDecide && preview !== undefined && payloadHash !== undefined && preview.payloadHash !== payloadHash;
	const lint = preview?.lint ?? action.lint ?? [];
	const refused = isEdited ? refusedWords(action.channel, preview?.lint ?? []) : undefined;
	const text = action.content ?? occurrence.deliverable?.text;
	const isRerunnable = canRerun(plan, occurrence);
	const missing = canDecide ? (isRerunnable ? "held" : "heldOnly") : action.status === "pending" ? "pending" : "over";
	const canSend = canDecide && preview !== undefined;
	const step = (by: number) => {
		const other = occurrence.delivery[occurrence.delivery.indexOf(action) + by];
		if (other !== undefined && typed === undefined)
			go({ page: "review", planId: plan.planId, occurrenceId: occurrence.occurrenceId, actionId: other.actionId });
	};
	const leave = useCallback(() => {
		location.hash = back.href;
	}, [back.href]);
	useRequest("close", leave);
	return (
		<>
			<main
				className="main"
				tabIndex={-1}
				onKeyDown={(event) => {
					onReviewKey(event, { edit: canDecide && typed === undefined ? () => setTyped(text ?? "") : undefined, step });
					if (event.key !== "Enter" || event.repeat || !(event.ctrlKey || event.metaKey)) return;
					event.preventDefault();
					if (typed !== undefined) {
						if (canDecide && preview !== undefined && refused === undefined) decide("edit");
					} else if (canSend && !planCodeWordsOf(action).includes("send_anyway")) decide("send");
				}}
			>
				<PageBar
					title={visibleName(plan.title)}
					back={back}
					chip={<StateWord look={deliveryLooks[state]} word={untimedState(state)} isChip />}
				>
					<button type="button" className="btn only-phone" aria-label={words.checks} onClick={() => setPane("panel")}>
						{words.findings}
					</button>
				</PageBar>
				<AsOfLine />
				<Reason action={action} agent={agent} isEdited={isEdited} />
				{occurrence.delivery.length > 1 && <Tabs {...{ plan, occurrence, action, nameOf }} />}
				<div className="scroll">
					<div className="stage">
						<ChannelName {...{ action, nameOf }} />
						{typed !== undefined && !canDecide && <p className="note">{words.editKept}</p>}
						{typed !== undefined && <MessageEditor text={typed} setText={setTyped} />}
						{problem !== undefined && (
							<p className="note bad" role="alert">
								{problem}
							</p>
						)}
						{isRebuilt && <p className="note">{words.rebuilt}</p>}
						{text === undefined && !(canDecide && typed !== undefined) && <p className="muted">{words.noMessage[missing]}</p>}
					</div>
					{problem !== undefined && preview === undefined && typed === undefined && text !== undefined && <UnbuiltText text={text} />}
					{preview !== undefined && <MessagePreview channel={action.channel} parts={preview.parts} mark={markOf(action, isRebuilt)} />}
				</div>
				{typed !== undefined && (
					<EditBar
						{...{ canDecide, isBusy }}
						isBuilt={preview !== undefined}
						problem={isOld ? words.notCurrent : refused}
						keep={() => decide("edit")}
						discard={() => {
							setTyped(undefined);
							requestAnimationFrame(() => editButton.current?.focus());
						}}
					/>
				)}
				{typed === undefined && canDecide && (
					<DecideBar
						{...{ action, lint, canSend, isBusy, isOld, editButton, decide }}
						canRerun={isRerunnable}
						hasText={text !== undefined}
						// The agent's work is never copied into the editor: without a message, the editor is empty at first.
						edit={() => setTyped(text ?? "")}
					/>
				)}
				{!canDecide && <SettledActions {...{ action, isOld, settle, resend }} />}
			</main>
			<ChecksPanel
				action={action}
				preview={preview}
				{...{ lint, canDecide, isEdited, isRebuilt, isOld }}
				isRefused={refused !== undefined}
			/>
		</>
	);
}

/** Left and Right choose a message, and E edits it if shortcuts of a single letter are enabled. No letter makes a decision. */
function onReviewKey(event: KeyboardEvent<HTMLElement>, keys: { edit: (() => void) | undefined; step(by: number): void }): void {
	if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
	if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, pre, [role=dialog], [role=alertdialog]"))
		return;
	if (event.key === "ArrowLeft") keys.step(-1);
	else if (event.key === "ArrowRight") keys.step(1);
	else if (event.key === "e" && preferences.value.singleKeys && keys.edit !== undefined) {
		event.preventDefault();
		keys.edit();
	}
}

function planCodeWordsOf({ code }: DeliveryAction): readonly string[] {
	return code === undefined ? [] : planCodeWords[code].actions;
}

/**
 * What a chat message is marked with if it was not sent, or if this version of it was not; undefined if it was or may have been sent.
 * @param isRebuilt true if what is shown is not the version that was built to be sent
 */
function markOf(action: DeliveryAction, isRebuilt: boolean): string | undefined {
	if (isRebuilt) return words.notSent;
	// A message that was held only for the restore has no `mayHaveBeenSent`.
	if (mayHaveBeenSent(action) || isDroppedInDoubt(action) || action.code === "STORE_RESTORED") return undefined;
	const state = sentState(action);
	return state === "would" ? words.notSentYet : state === "not" ? words.notSent : undefined;
}

function isWaiting({ status }: DeliveryAction): boolean {
	return status === "needs_review";
}

interface ReasonProps {
	readonly action: DeliveryAction;
	readonly agent: string;
	/** True while the user is writing a text to replace the one that is held. */
	readonly isEdited: boolean;
}

/** Why the message is held or was not sent, what is unknown about it, or that it was delivered after all. */
function Reason({ action, agent, isEdited }: ReasonProps) {
	const now = useClock();
	const { code, status, fix } = action;
	if (code === undefined) return null;
	const why = [
		codeTitle(action),
		meaningOf(action, agent),
		storedFix(fix),
		...alsoHeldReasons(action, isEdited),
		...mayHaveBeenSentLines(action),
	];
	const lines: readonly (string | undefined)[] = afterAllWords(action, now) ?? why;
	const [title, ...more] = lines.filter((line) => line !== undefined);
	const isUnknown = status === "unknown";
	return (
		<div className={`held ${isUnknown ? "unk" : ""}`}>
			<span className="badge">
				<Icon of={isUnknown ? Unplug : Hand} />
			</span>
			<div className="grow">
				<h2>{isEdited ? fill(words.beforeEdit, { reason: title ?? "" }) : title}</h2>
				{more.map((line) => (
					<p key={line}>
						<InlineCode text={line} />
					</p>
				))}
			</div>
		</div>
	);
}

interface TabsProps extends Pick<ReviewedProps, "plan" | "occurrence" | "action"> {
	readonly nameOf: NameOf;
}

/** Scrolls the chosen tab into view, if the tabs are wider than the page. */
function intoView(tab: HTMLElement | null): void {
	tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** A link to each message of the occurrence. */
function Tabs({ plan, occurrence, action }: TabsProps) {
	const { planId } = plan;
	const { occurrenceId } = occurrence;
	return (
		<nav className="tabs" aria-label={words.messages}>
			{occurrence.delivery.map((one) => {
				const state = deliveryState(one);
				return (
					<a
						key={one.actionId}
						ref={one.actionId === action.actionId ? intoView : undefined}
						className="tab"
						href={hrefOf({ page: "review", planId, occurrenceId, actionId: one.actionId })}
						aria-current={one.actionId === action.actionId ? "page" : undefined}
					>
						<Icon of={channelIcons[one.channel]} small />
						{channelWords[one.channel]}
						<StateWord look={deliveryLooks[state]} word={untimedState(state)} isIcon />
					</a>
				);
			})}
		</nav>
	);
}

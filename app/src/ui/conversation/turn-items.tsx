import { Brain } from "lucide-react";
import { memo, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { count, fill, words } from "../../strings/interface.ts";
import { missingEndWords } from "../../strings/runs/missing-end-words.ts";
import { ApprovalPrompt } from "../approvals/approval-prompt.tsx";
import { ChangedCallsContext, changedCalls } from "../approvals/changed-call.tsx";
import { RequestGroup } from "../approvals/request-group.tsx";
import { QuietRow, ThoughtRow, ToolRow } from "../run/tool-call-row.tsx";
import { formatTaken } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { type CheckedAnswer, claimsIn, segmentsOf } from "../turn/checked-answer.ts";
import { lacksAnswer, type MissingEnd } from "../turn/missing-end.ts";
import { isOpenCall, type OpenCalls } from "../turn/tool-line.ts";
import { isSamePart, joinedThoughts, partsOf, type SplitTurn, type TurnPart } from "../turn/turn-parts.ts";
import { lastMessage, type TurnItem, type TurnView } from "../turn/turn-view.ts";
import { AnswerLook, AnswerText, answerLooks, SaidItem } from "./answer-text.tsx";

interface TurnItemsProps {
	readonly view: TurnView;
	readonly live: boolean;
	readonly open: OpenCalls;
	readonly folded: boolean;
	readonly provider: string;
	readonly output?: string;
	/** True if `output` is only the beginning of the answer. */
	readonly isOutputCut?: boolean;
	/** The check of the answer, if it was checked. */
	readonly checked?: CheckedAnswer;
	/**
	 * Which part of the run is missing from the view. If that part may contain the answer, `output` is shown as the answer, if there is one.
	 */
	readonly missing?: MissingEnd;
}

/** The agent's work and answer. If `folded`, the steps before the answer are folded into one row, and those after it into another. */
export function TurnItems({ view, live, open, folded, provider, output, isOutputCut, checked, missing }: TurnItemsProps) {
	const checkedHere = lacksAnswer(missing) ? undefined : checked;
	const looks = useMemo(() => answerLooks(view.items, checkedHere), [view.items, checkedHere]);
	const changed = useMemo(() => changedCalls(view.items), [view.items]);
	if (!folded) {
		if (view.items.length === 0 && missing !== "missing") return null;
		return (
			<>
				<AnswerLook value={looks}>
					<ChangedCallsContext value={changed}>
						<ItemList items={view.items} live={live} open={open} provider={provider} />
					</ChangedCallsContext>
				</AnswerLook>
				{missing === "missing" && <MissingEndNote output={output} />}
				{missing === "missing" && <ResultText text={output} isCut={isOutputCut} checked={checked} />}
				{missing === "steps" && <MissingEndNote />}
			</>
		);
	}
	// The answer stays visible; the steps before it are folded into one row, and those after it into another, as in the log.
	const isOfResult = lacksAnswer(missing) && output !== undefined;
	const answer = isOfResult ? undefined : lastMessage(view.items);
	const end = answer === undefined ? view.items.length : view.items.findLastIndex((item) => answer.parts.has(item));
	const before = view.items.slice(0, end).filter((item) => answer?.parts.has(item) !== true);
	const after = view.items.slice(end + 1);
	return (
		<>
			<FoldedSteps items={before} open={open} provider={provider} />
			{missing === "missing" && isOfResult && <MissingEndNote output={output} />}
			<ResultText text={answer?.text ?? output} isCut={answer === undefined && isOutputCut} checked={isOfResult ? checked : checkedHere} />
			<FoldedSteps items={after} open={open} provider={provider} />
			{missing !== undefined && missing !== "unread" && !isOfResult && <MissingEndNote />}
		</>
	);
}

interface ResultTextProps {
	readonly text: string | undefined;
	/** True if `text` is only the beginning of the answer. */
	readonly isCut: boolean | undefined;
	readonly checked: CheckedAnswer | undefined;
}

/** The answer of an ended run; nothing if there is no answer. */
function ResultText({ text = "", isCut = false, checked }: ResultTextProps) {
	if (text.trim() === "") return null;
	const segments = segmentsOf(text, checked);
	return (
		<>
			<AnswerText text={text} live={false} {...(checked && { marks: claimsIn(checked) })} {...(segments && { segments })} />
			{isCut && <p className="muted small">{words.thread.cutHere}</p>}
		</>
	);
}

/** Says that the run's last steps were not received and, if an answer is shown below, where it is from. */
function MissingEndNote({ output = "" }: { readonly output?: string | undefined }) {
	return (
		<p className="said muted">
			{missingEndWords.steps} {output.trim() !== "" && missingEndWords.answer}
		</p>
	);
}

/** Steps on one side of the answer. */
function FoldedSteps({ items, open, provider }: FoldedItemsProps) {
	if (items.length === 0) return null;
	return (
		<>
			<FoldedItems items={items.filter((item) => !isSaidPlainly(item))} open={open} provider={provider} />
			<ItemList items={items.filter(isSaidPlainly)} live={false} open={open} provider={provider} />
		</>
	);
}

/**
 * Items that are never folded away: a line that XWorkmate adds about the run, and a call reported or found to have been made without
 * permission.
 */
function isSaidPlainly(item: TurnItem): boolean {
	return item.kind === "tool" ? item.call.unpermitted !== undefined : item.kind === "notice" && item.code === undefined;
}

interface FoldedItemsProps extends Pick<TurnItemsProps, "open" | "provider"> {
	readonly items: readonly TurnItem[];
}

function FoldedItems({ items, open, provider }: FoldedItemsProps) {
	const thoughts = items.filter(({ kind }) => kind === "thought").length;
	const steps = items.filter(({ kind }) => kind === "tool").length;
	const first = items.find((item) => item.kind === "tool" || item.kind === "thought");
	const last = items.findLast((item) => item.kind === "tool" || item.kind === "thought");
	const isTimed = first !== undefined && last !== undefined && "from" in first && "to" in last;
	if (thoughts + steps === 0) return <ItemList items={items} live={false} open={open} provider={provider} />;
	return (
		<div className="acts">
			<QuietRow
				icon={Brain}
				word={sayFolded(thoughts, steps)}
				meta={isTimed ? formatTaken(Date.parse(last.to) - Date.parse(first.from)) : undefined}
				items={items}
				body={() => <ItemList items={items} live={false} open={open} provider={provider} />}
			/>
		</div>
	);
}

function sayFolded(thoughts: number, steps: number): string {
	if (thoughts === 0) return count(steps, "step");
	if (steps === 0) return count(thoughts, "thought");
	return fill(words.thread.folded, { thoughts: count(thoughts, "thought"), steps: count(steps, "step") });
}

interface ItemListProps {
	readonly items: readonly TurnItem[];
	readonly live: boolean;
	readonly open: OpenCalls;
	readonly provider: string;
}

function ItemList({ items, live, open, provider }: ItemListProps) {
	const parts = useParts(items);
	const made = useMadeParts(parts.map(keyOf), live);
	return parts.map((part, index) => {
		const key = keyOf(part);
		if (!made.has(key)) return null;
		const isLast = index === parts.length - 1;
		return <Part key={key} part={part} live={live && open === "live" && isLast} open={open} past={!isLast} provider={provider} />;
	});
}

/** The parts of a list. A list usually only grows, so its unchanged parts are kept. */
function useParts(items: readonly TurnItem[]): readonly TurnPart[] {
	const split = useRef<SplitTurn>(undefined);
	if (split.current?.items !== items) split.current = { items, parts: partsOf(items, split.current) };
	return split.current.parts;
}

function keyOf(part: TurnPart): string {
	return part[0]?.[0]?.key ?? "";
}

const PARTS_AT_ONCE = 2;
/** Long enough for two frames. */
const PART_PAUSE_MS = 32;

/**
 * The keys of the parts to render. If there are many, they are rendered a few at a time, so that the page does not freeze: newest first for
 * an active run, and oldest first for a turn that is opened later. Rendered parts stay.
 */
function useMadeParts(keys: readonly string[], live: boolean): ReadonlySet<string> {
	const [made] = useState(() => new Set<string>());
	const [fromEnd] = useState(live);
	const [, again] = useReducer((times: number) => times + 1, 0);
	for (const key of fromEnd ? keys.slice(-PARTS_AT_ONCE) : keys.slice(0, PARTS_AT_ONCE)) made.add(key);
	const isNext = (key: string) => !made.has(key);
	const next = fromEnd ? keys.findLast(isNext) : keys.find(isNext);
	useEffect(() => {
		if (next === undefined) return;
		const timer = setTimeout(() => {
			made.add(next);
			again();
		}, PART_PAUSE_MS);
		return () => clearTimeout(timer);
	}, [next, made]);
	return made;
}

interface PartProps {
	readonly part: TurnPart;
	/** True for the part at the end of an active turn. */
	readonly live: boolean;
	readonly open: OpenCalls;
	/** True if other parts follow. This part is then laid out only when it is near the viewport. */
	readonly past: boolean;
	readonly provider: string;
}

/** Thousands of steps may arrive while the page is open, so a part that has not changed is neither rendered nor laid out again. */
const Part = memo(
	function Part({ part, live, open, past, provider }: PartProps) {
		return (
			<div className={past ? "turn-part past" : "turn-part"}>
				{part.map((group, index) => (
					<Group key={group[0]?.key ?? index} group={group} live={live && index === part.length - 1} open={open} provider={provider} />
				))}
			</div>
		);
	},
	(before, after) =>
		before.live === after.live &&
		(before.open === after.open || !hasOpenCall(after.part)) &&
		before.past === after.past &&
		before.provider === after.provider &&
		isSamePart(before.part, after.part),
);

function hasOpenCall(part: TurnPart): boolean {
	return part.some((group) => group.some((item) => item.kind === "tool" && isOpenCall(item.call)));
}

const Thought = memo(ThoughtRow);
const Tool = memo(ToolRow);

interface GroupProps {
	readonly group: readonly TurnItem[];
	readonly live: boolean;
	readonly open: OpenCalls;
	readonly provider: string;
}

function Group({ group, live, open, provider }: GroupProps) {
	const [first] = group;
	if (first === undefined) return null;
	if (first.kind === "message") return first.text.trim() === "" ? null : <SaidItem item={first} live={live} />;
	if (first.kind === "approval" && first.approval.toolId === undefined)
		return <ApprovalPrompt approval={first.approval} provider={provider} />;
	if (first.kind === "notice")
		return (
			<p className={`said ${first.level === "info" ? "muted" : ""}`}>
				{visibleName(first.message)} {first.code !== undefined && <span className="code-chip">{first.code}</span>}
			</p>
		);
	const approvals = group.flatMap((item) => (item.kind === "approval" ? [item.approval] : []));
	const shown = joinedThoughts(group.filter((item) => item.kind !== "approval" && (item.kind !== "tool" || item.call.isAsked !== true)));
	return (
		<>
			{approvals.length > 0 && <RequestGroup approvals={approvals} provider={provider} />}
			{shown.length > 0 && <QuietItems shown={shown} live={live} open={open} />}
		</>
	);
}

interface QuietItemsProps extends Pick<GroupProps, "live" | "open"> {
	readonly shown: readonly TurnItem[];
}

function QuietItems({ shown, live, open }: QuietItemsProps) {
	return (
		<div className="acts">
			{shown.map((item) =>
				item.kind === "thought" ? (
					<Thought key={item.key} item={item} live={live && item === shown.at(-1)} />
				) : (
					// A call that has ended always gets "live", so that the call is not rendered again when its run ends.
					item.kind === "tool" && <Tool key={item.key} item={item} open={isOpenCall(item.call) ? open : "live"} />
				),
			)}
		</div>
	);
}

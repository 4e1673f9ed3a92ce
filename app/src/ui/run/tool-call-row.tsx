import type { ToolCall, ToolKind } from "@xworkmate/contracts";
import {
	Ban,
	Brain,
	ChevronRight,
	CircleDot,
	CircleEllipsis,
	CircleQuestionMark,
	FilePenLine,
	FileText,
	FolderInput,
	Globe,
	type LucideIcon,
	OctagonX,
	Search,
	SlidersHorizontal,
	Terminal,
	Trash2,
} from "lucide-react";
import { Fragment, memo, type ReactNode, useMemo, useState } from "react";
import { callWords } from "../../strings/calls/call-words.ts";
import { fill, words } from "../../strings/interface.ts";
import { namedCall, titleBeside } from "../../text/calls/asked-view.ts";
import { Icon } from "../components/icon.tsx";
import { useFound } from "../find/use-found.ts";
import { countChanges, diffLines } from "../rich-text/diff-lines.ts";
import { DiffView } from "../rich-text/diff-view.tsx";
import { VisibleCode } from "../rich-text/visible-code.tsx";
import { formatTaken } from "../text/format.ts";
import { visibleName, visibleProse } from "../text/visible-text.ts";
import { hasChanged, shownCall, waitedMs } from "../turn/seen-call.ts";
import { type OpenCalls, type ToolLine, toolLine } from "../turn/tool-line.ts";
import { objectAfter } from "../turn/tool-object.ts";
import type { TurnItem } from "../turn/turn-view.ts";

const toolIcons: Readonly<Record<ToolKind, LucideIcon>> = {
	read: FileText,
	edit: FilePenLine,
	delete: Trash2,
	move: FolderInput,
	search: Search,
	execute: Terminal,
	think: Brain,
	fetch: Globe,
	switch_mode: SlidersHorizontal,
	other: CircleEllipsis,
};

interface QuietRowProps {
	readonly icon: LucideIcon;
	readonly word: string;
	readonly object?: string;
	readonly meta?: ReactNode;
	/** The row's folded content, for the search inside the thread. */
	readonly items?: readonly TurnItem[];
	/** Rendered only when the row is opened, or when the search finds its text in it. */
	readonly body?: () => ReactNode;
	readonly card?: boolean;
}

/** A row that opens in place, so that nothing above it ever moves. */
export function QuietRow({ icon, word, object, meta, items, body, card = false }: QuietRowProps) {
	const [isOpen, setOpen] = useState(false);
	const isFound = useFound(items);
	return (
		<details className={`act ${card ? "card-open" : ""}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary>
				<Icon of={ChevronRight} small className="chev" />
				<Icon of={icon} small />
				<span className="nowrap">{word}</span>
				{object !== undefined && <span className="obj cut">{object}</span>}
				{meta !== undefined && <span className="meta">{meta}</span>}
			</summary>
			{(isOpen || isFound) && body?.()}
		</details>
	);
}

type Thought = Extract<TurnItem, { kind: "thought" }>;
type Tool = Extract<TurnItem, { kind: "tool" }>;

export function ThoughtRow({ item, live }: { readonly item: Thought; readonly live: boolean }) {
	const items = useMemo(() => [item], [item]);
	return (
		<QuietRow
			icon={Brain}
			word={live ? words.thread.thinking : words.thread.thought}
			meta={formatTaken(Date.parse(item.to) - Date.parse(item.from))}
			items={items}
			body={() => (
				<p className="fold pre" dir="auto">
					{visibleProse(item.text)}
				</p>
			)}
		/>
	);
}

interface ToolRowProps {
	readonly item: Tool;
	/** How to show a call that has not ended. */
	readonly open: OpenCalls;
}

/** One tool call, as a quiet row that opens to show its input, output and change. */
export function ToolRow({ item, open }: ToolRowProps) {
	const { call } = item;
	const items = useMemo(() => [item], [item]);
	const shown = shownCall(call);
	const isChanged = hasChanged(call);
	const { name, toolKind } = call.origin === "executed" ? { name: call.toolId ?? call.title, toolKind: call.toolKind } : namedCall(shown);
	const now = isChanged ? namedCall({ ...call, examined: undefined }).name : undefined;
	const { word, state } = toolLine({ ...shown, toolKind, isChanged, ...(now !== undefined && now !== name && { now }) }, open);
	const isWhole = call.origin === "executed" || (call.examined ?? []).length > 0;
	const object = isWhole ? name : objectAfter(word, toolKind, name);
	return (
		<QuietRow
			icon={toolIcons[toolKind]}
			word={word}
			{...(object !== "" && { object: visibleName(object) })}
			meta={<ToolMeta item={item} state={state} />}
			items={items}
			body={() => <ToolBody call={call} {...(now !== undefined && { now })} />}
			card
		/>
	);
}

const stateIcons: Readonly<Record<NonNullable<ToolLine["state"]>["tone"], LucideIcon>> = {
	run: CircleDot,
	unk: CircleQuestionMark,
	off: Ban,
	bad: OctagonX,
};

/** Not animated, because a run has only one spinner, in its bar. */
function ToolMeta({ item: { call, from, to }, state }: { readonly item: Tool; readonly state: ToolLine["state"] }) {
	if (state !== undefined)
		return (
			<span className={`st st-${state.tone}`}>
				<Icon of={stateIcons[state.tone]} />
				{state.word}
			</span>
		);
	const changes = (call.diff ?? []).map((diff) => countChanges(diffLines(diff.oldText ?? "", diff.newText)));
	// The time that the agent took, not counting the time that it waited for the user.
	if (changes.length === 0)
		return <span className="num">{formatTaken(Math.max(0, Date.parse(to) - Date.parse(from) - waitedMs(call)))}</span>;
	return (
		<span className="num">
			{call.diff?.some(({ truncated }) => truncated) === true && `${words.thread.atLeast} `}
			<span className="plus">+{changes.reduce((sum, { added }) => sum + added, 0)}</span>{" "}
			<span className="minus">−{changes.reduce((sum, { removed }) => sum + removed, 0)}</span>
			{call.origin !== "executed" && ` ${words.thread.reportedCounts}`}
		</span>
	);
}

interface ToolBodyProps {
	readonly call: ToolCall;
	/** The agent's current name for the call, if the agent has changed the call since its request. */
	readonly now?: string;
}

const ToolBody = memo(function ToolBody({ call, now }: ToolBodyProps) {
	const title = call.origin === "executed" ? undefined : titleBeside(call);
	// The name in the row above. The path of a change is shown unless this name ends with it.
	const row = namedCall(shownCall(call)).name;
	return (
		<div className="fold tool-body">
			{now !== undefined && (
				<p className="wrap">
					{words.thread.changedCall} <code>{visibleName(now)}</code>
				</p>
			)}
			{title !== undefined && now === undefined && <p className="muted small wrap">{visibleName(fill(callWords.agentCalls, { title }))}</p>}
			{call.locations?.map(({ path, line }) => (
				<p key={`${path}:${line ?? ""}`}>
					<code>
						{visibleName(path)}
						{line === undefined ? "" : `:${line}`}
					</code>
				</p>
			))}
			{call.input !== undefined && <ToolText label={words.thread.input} preview={call.input} />}
			{call.diff !== undefined && call.origin !== "executed" && <p className="muted small">{words.thread.reportedChange}</p>}
			{call.diff?.map(({ path, oldText = "", newText, truncated }) => (
				<Fragment key={path}>
					{!row.endsWith(path) && (
						<p>
							<code>{visibleName(path)}</code>
						</p>
					)}
					<DiffView path={path} oldText={oldText} newText={newText} />
					{truncated && <p className="muted small">{words.thread.cutHere}</p>}
				</Fragment>
			))}
			{call.says !== undefined && call.says.text !== call.output?.text && <ToolText label={words.ask.agentsWords} preview={call.says} />}
			{call.output !== undefined && <ToolText label={words.thread.output} preview={call.output} />}
		</div>
	);
});

function ToolText({
	label,
	preview,
}: {
	readonly label: string;
	readonly preview: { readonly text: string; readonly truncated: boolean };
}) {
	return (
		<div>
			<p className="muted small">{label}</p>
			<VisibleCode text={preview.text} label={label} whole />
			{preview.truncated && <p className="muted small">{words.thread.cutHere}</p>}
		</div>
	);
}

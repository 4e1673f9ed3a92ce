import { Brain, Download, FolderOpen, Route as RouteIcon, WifiOff } from "lucide-react";
import { memo, useEffect, useMemo } from "react";
import type { TurnDetail } from "../../core/ui-api.ts";
import { archiveRoute } from "../../core/ui-routes.ts";
import { callApp } from "../client/call-app.ts";
import { useStore } from "../client/store.ts";
import type { ThreadReader } from "../client/thread-reader.ts";
import { formatCount, formatSpan } from "../model/format.ts";
import { deriveOutcome } from "../model/outcome.ts";
import type { TurnItem, TurnView } from "../model/turn-view.ts";
import { visibleName } from "../model/visible-text.ts";
import { QuietRow, ThoughtRow, ToolRow } from "../parts/act-row.tsx";
import { Icon } from "../parts/icon.tsx";
import { MessageText } from "../parts/message-text.tsx";
import { OutcomeCard } from "../parts/outcome-card.tsx";
import { PlanCard } from "../parts/plan-card.tsx";
import { ProviderMark } from "../parts/provider-mark.tsx";
import type { ActionId } from "../words/codes.ts";
import { count, fill, words } from "../words/interface.ts";
import { useApp, useProviderName } from "./app-context.tsx";
import { AskedHere } from "./asked-here.tsx";
import { AskedMessage } from "./asked-message.tsx";
import { hrefOf } from "./route.ts";
import { attempt } from "./thread-acts.ts";

interface TurnBlockProps {
	readonly reader: ThreadReader;
	readonly detail: TurnDetail;
	readonly pending: boolean;
	/** Older turns are read when their steps are opened. */
	readonly readNow: boolean;
	act(action: ActionId, detail: TurnDetail): void;
	openFile(runId: string, relativePath: string): void;
}

/** One turn: the person's words, what the agent did and said, and how it ended. */
export const TurnBlock = memo(function TurnBlock({ reader, detail, pending, readNow, act, openFile }: TurnBlockProps) {
	const { turn, request, snapshot } = detail;
	const follower = reader.turn(turn.turnId);
	const followed = useStore(follower.turn);
	useEffect(() => {
		if (!pending && !readNow) return;
		// A browser has few connections: a page that nobody sees gives up its turn's stream, and catches up later.
		const follow = () => (document.hidden ? follower.leave() : follower.follow(pending));
		follow();
		document.addEventListener("visibilitychange", follow);
		return () => document.removeEventListener("visibilitychange", follow);
	}, [follower, pending, readNow]);
	const provider = useProviderName(snapshot?.provider.providerId ?? request.routing.providerId);
	const model = snapshot?.provider.model ?? request.routing.model;
	return (
		<>
			<AskedMessage detail={detail} />
			<article
				className="turn"
				aria-label={fill(pending ? words.thread.working : words.thread.finished, { provider })}
				data-turn={turn.turnId}
			>
				<div className="who">
					<ProviderMark name={provider} />
					<b>{visibleName(provider)}</b>
					<span>{visibleName(model ?? (request.routing.executionTarget === "gateway" ? words.thread.gateway : ""))}</span>
					<UsageWord view={followed.view} />
				</div>
				{followed.view.plan !== undefined && <PlanCard entries={followed.view.plan} />}
				<TurnItems
					view={followed.view}
					live={pending}
					folded={!pending && !followed.seenLive}
					provider={provider}
					{...(snapshot?.output && { output: snapshot.output.text })}
					read={() => follower.follow(false)}
				/>
				{pending && followed.view.lost !== undefined && (
					<p className="said">
						<Icon of={WifiOff} small />
						{words.thread.connectionLost}
					</p>
				)}
				<TurnEnd reader={reader} detail={detail} view={followed.view} provider={provider} pending={pending} act={act} openFile={openFile} />
			</article>
		</>
	);
});

function UsageWord({ view: { usage } }: { readonly view: TurnView }) {
	const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
	if (tokens === 0) return null;
	return <span className="num usage">{fill(words.thread.usage, { count: formatCount(tokens) })}</span>;
}

interface TurnItemsProps {
	readonly view: TurnView;
	readonly live: boolean;
	readonly folded: boolean;
	readonly provider: string;
	readonly output?: string;
	read(): void;
}

function TurnItems({ view, live, folded, provider, output, read }: TurnItemsProps) {
	const lastMessage = view.items.findLastIndex((item) => item.kind === "message" && item.text.trim() !== "");
	if (!folded) return <ItemList items={view.items} live={live} provider={provider} />;
	// The answer stays in sight; what led to it folds into one row.
	const answer = view.items[lastMessage];
	const before = lastMessage === -1 ? view.items : view.items.filter((_, index) => index !== lastMessage);
	const text = answer?.kind === "message" ? answer.text : output;
	return (
		<>
			{(before.length > 0 || view.seq === 0) && <FoldedItems items={before} provider={provider} read={read} />}
			{text !== undefined && text.trim() !== "" && <MessageText text={text} live={false} />}
		</>
	);
}

function FoldedItems({ items, provider, read }: { readonly items: readonly TurnItem[]; readonly provider: string; read(): void }) {
	const thoughts = items.filter(({ kind }) => kind === "thought").length;
	const steps = items.filter(({ kind }) => kind === "tool").length;
	const first = items.find((item) => item.kind === "tool" || item.kind === "thought");
	const last = items.findLast((item) => item.kind === "tool" || item.kind === "thought");
	const isTimed = first !== undefined && last !== undefined && "from" in first && "to" in last;
	if (items.length > 0 && thoughts + steps === 0) return <ItemList items={items} live={false} provider={provider} />;
	const say =
		items.length === 0
			? words.thread.olderText
			: fill(words.thread.folded, { thoughts: count(thoughts, "thought"), steps: count(steps, "step") });
	return (
		<div className="acts">
			<QuietRow
				onOpen={read}
				icon={Brain}
				word={say}
				meta={isTimed ? formatSpan(Date.parse(last.to) - Date.parse(first.from)) : undefined}
				body={() => <ItemList items={items} live={false} provider={provider} />}
			/>
		</div>
	);
}

/** Neighbouring thoughts and tools stand in one quiet group. */
function ItemList({ items, live, provider }: { readonly items: readonly TurnItem[]; readonly live: boolean; readonly provider: string }) {
	const groups = useMemo(() => groupItems(items), [items]);
	return groups.map((group, index) => {
		const [first] = group;
		if (first === undefined) return null;
		const isLast = live && index === groups.length - 1;
		if (first.kind === "message") return first.text.trim() === "" ? null : <MessageText key={first.key} text={first.text} live={isLast} />;
		if (first.kind === "approval") return <AskedHere key={first.key} approval={first.approval} provider={provider} />;
		if (first.kind === "notice")
			return (
				<p key={first.key} className={`said ${first.level === "info" ? "muted" : ""}`}>
					{visibleName(first.message)} <span className="code-chip">{first.code}</span>
				</p>
			);
		return (
			<div className="acts" key={first.key}>
				{group.map((item) =>
					item.kind === "thought" ? (
						<ThoughtRow key={item.key} item={item} live={isLast && item === group.at(-1)} />
					) : (
						item.kind === "tool" && <ToolRow key={item.key} item={item} />
					),
				)}
			</div>
		);
	});
}

function groupItems(items: readonly TurnItem[]): readonly (readonly TurnItem[])[] {
	const groups: TurnItem[][] = [];
	const isQuiet = (item: TurnItem | undefined) => item?.kind === "thought" || item?.kind === "tool";
	for (const item of items) {
		const last = groups.at(-1);
		if (last !== undefined && isQuiet(item) && isQuiet(last[0])) last.push(item);
		else groups.push([item]);
	}
	return groups;
}

interface TurnEndProps extends Pick<TurnBlockProps, "reader" | "detail" | "pending" | "act" | "openFile"> {
	readonly view: TurnView;
	readonly provider: string;
}

function TurnEnd({ reader, detail, view, provider, pending, act, openFile }: TurnEndProps) {
	const { app } = useApp();
	const { files } = useStore(reader.open);
	const { bridge, lane } = app;
	const outcome = pending
		? undefined
		: deriveOutcome({
				detail,
				view,
				provider,
				waiting: lane.waiting.length,
				...(bridge.url !== undefined && { address: bridge.url }),
				...(bridge.capabilities && { budgetMs: bridge.capabilities.limits.runBudgetMs }),
			});
	if (outcome === undefined) return null;
	const { threadId } = reader;
	const { runId, turnId } = detail.turn;
	const run = files?.runs.find((candidate) => candidate.runId === runId);
	const shown = outcome.tone === "ok" || outcome.tone === "miss" ? (run?.files ?? []) : [];
	const more = (
		<>
			{shown.length > 0 && runId !== undefined && outcome.tone === "ok" && (
				<>
					<button type="button" className="btn" onClick={() => void attempt(() => callApp("openFolder", { threadId }))}>
						<Icon of={FolderOpen} />
						{words.outcome.openFolder}
					</button>
					<a className="btn" href={archiveRoute(threadId, runId, "zip")} download>
						<Icon of={Download} />
						{words.outcome.allZip}
					</a>
				</>
			)}
			<span className="grow hide-n" />
			{!outcome.actions.includes("run_log") && (
				<a className="btn quiet" href={hrefOf({ page: "log", threadId, turnId })}>
					<Icon of={RouteIcon} />
					{words.thread.runLog}
				</a>
			)}
		</>
	);
	return (
		<OutcomeCard
			outcome={outcome}
			files={shown}
			act={(action) => act(action, detail)}
			openFile={(path) => runId !== undefined && openFile(runId, path)}
			more={more}
		/>
	);
}

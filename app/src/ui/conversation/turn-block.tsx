import type { ThreadId } from "@xworkmate/contracts";
import { Download, FolderOpen, Route as RouteIcon, WifiOff } from "lucide-react";
import { memo, useEffect, useMemo, useRef } from "react";
import type { TurnDetail } from "../../api/ui-api.ts";
import type { ActionId } from "../../strings/codes.ts";
import { archiveWords } from "../../strings/files/archive-words.ts";
import { fill, words } from "../../strings/interface.ts";
import { isFetchedAgain } from "../../text/files/fetched-again.ts";
import { hasExecuted } from "../../text/runs/actions-title.ts";
import { modelWords } from "../../text/runs/model-words.ts";
import { ActivityBlock } from "../activity/activity-block.tsx";
import { Icon } from "../components/icon.tsx";
import { ProviderMark } from "../components/provider-mark.tsx";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { downloadArchive } from "../files/download-archive.ts";
import { SetAsideList } from "../files/set-aside-list.tsx";
import type { ThreadReader } from "../follow/thread-reader.ts";
import { useAsOf, useLost } from "../follow/use-lost.ts";
import { useNear } from "../follow/use-near.ts";
import { useWhole } from "../rich-text/whole.ts";
import { AgentPlan } from "../run/agent-plan.tsx";
import { OutcomeCard } from "../run/outcome-card.tsx";
import { useApp, useProviderName } from "../state/app-context.tsx";
import { hrefOf } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { visibleName } from "../text/visible-text.ts";
import { activitySoFar, liveRun } from "../turn/activity-so-far.ts";
import { throughPlan } from "../turn/again-safely.ts";
import { checkedAnswer } from "../turn/checked-answer.ts";
import { lacksAnswer, missingEnd, saidIn } from "../turn/missing-end.ts";
import { deriveOutcome } from "../turn/outcome.ts";
import { withActions } from "../turn/outcome-of-actions.ts";
import { isOfRunUnderWay } from "../turn/saved-word.ts";
import { startable } from "../turn/startable.ts";
import { openCallsOf } from "../turn/tool-line.ts";
import { endOf, isDiskFull, type TurnView } from "../turn/turn-view.ts";
import { underWayHow } from "../turn/under-way.ts";
import { reportedUsage, usageParts } from "../turn/usage.ts";
import { GroundingNote, IsUnfinished, PlanOfTurn } from "./answer-text.tsx";
import { MessageMenuButton, openOnContext } from "./message-menu-button.tsx";
import { TurnItems } from "./turn-items.tsx";
import { UserMessage } from "./user-message.tsx";

interface TurnBlockProps {
	readonly reader: ThreadReader;
	readonly detail: TurnDetail;
	readonly pending: boolean;
	/** True for a turn that is read wherever it is on the page. Other turns are read when they come near the viewport. */
	readonly readNow: boolean;
	act(action: ActionId, detail: TurnDetail): void;
	openFile(runId: string, relativePath: string): void;
}

/** One turn: the user's message, the agent's work and answer, and the outcome. */
export const TurnBlock = memo(function TurnBlock({ reader, detail, pending, readNow, act, openFile }: TurnBlockProps) {
	const { turn, request, snapshot } = detail;
	const { state } = useApp();
	const follower = reader.turn(turn.turnId);
	const followed = useStore(follower.turn);
	const { view } = followed;
	const isUnderWay = pending && endOf(view) === undefined;
	const isLost = useLost(followed) && isUnderWay;
	const asOf = useAsOf(reader.threadId) ?? view.lastAt;
	const open = openCallsOf(view, { pending, lost: isLost, status: turn.status, asOf });
	const article = useRef<HTMLElement>(null);
	const isWanted = useNear(article) || readNow;
	const lastSeq = snapshot?.lastSeq;
	useEffect(() => {
		if (!pending && !isWanted) return;
		// A browser allows few connections, so a hidden page closes its turn's stream and catches up later.
		const follow = () => (document.hidden ? follower.leave() : follower.follow(pending, lastSeq));
		follow();
		document.addEventListener("visibilitychange", follow);
		return () => document.removeEventListener("visibilitychange", follow);
	}, [follower, pending, isWanted, lastSeq]);
	const checked = useMemo(() => checkedAnswer(snapshot, view.checked), [snapshot, view.checked]);
	const provider = useProviderName(snapshot?.provider.providerId ?? request.routing.providerId);
	const hasWorked = view.items.some(({ kind }) => kind === "message" || kind === "thought" || kind === "tool");
	const model = modelWords({ snapshot, request, hasWorked }, visibleName);
	const missing = missingEnd(followed, snapshot);
	const answer = saidIn(view, snapshot, missing) ?? "";
	const how = isUnderWay ? words.thread.endedHow[underWayHow(view, turn)] : words.thread.endedHow[endOf(view) ?? turn.status];
	// While the app is unreachable, the page does not know whether this is still so.
	const isUnsaved = state === "live" && (view.lost?.local === true || isDiskFull(view));
	const lostLabel = isUnsaved ? words.thread.unsaved : words.thread.lost;
	const hasAnswer = !isUnderWay && answer.trim() !== "";
	return (
		<>
			<UserMessage detail={detail} />
			<article
				ref={article}
				onContextMenu={(event) => hasAnswer && openOnContext(event, { detail, answer })}
				className="turn"
				aria-label={fill(isLost ? lostLabel : words.thread.ended, { provider, how })}
				data-turn={turn.turnId}
			>
				<div className="who">
					<ProviderMark name={provider} />
					<b>{visibleName(provider)}</b>
					<span>{model ?? (request.routing.executionTarget === "gateway" ? words.thread.gateway : "")}</span>
					<UsageWord view={followed.view} detail={detail} />
					{hasAnswer && <MessageMenuButton of={{ detail, answer }} />}
				</div>
				{followed.view.plan !== undefined && (
					<AgentPlan entries={followed.view.plan} live={isUnderWay} {...(isLost && asOf !== undefined && { asOf })} />
				)}
				<IsUnfinished value={!pending && turn.status !== "completed"}>
					<PlanOfTurn value={planOf(request.origin)}>
						<TurnItems
							view={followed.view}
							live={pending}
							open={open}
							folded={!pending && !followed.seenLive}
							provider={provider}
							{...(snapshot?.output && { output: snapshot.output.text, isOutputCut: snapshot.output.truncated })}
							{...(checked && { checked })}
							{...(missing && { missing })}
						/>
					</PlanOfTurn>
				</IsUnfinished>
				{checked !== undefined && (
					<GroundingNote checked={checked} items={view.items} {...(lacksAnswer(missing) && { answer: snapshot?.output?.text ?? "" })} />
				)}
				{isLost && (
					<p className="said">
						<Icon of={WifiOff} small />
						{isUnsaved ? (isDiskFull(view) ? words.run.diskFullSteps : words.run.localTitle) : words.thread.connectionLost}
					</p>
				)}
				<TurnEnd
					reader={reader}
					detail={detail}
					view={followed.view}
					provider={provider}
					pending={pending}
					asOf={isLost ? asOf : undefined}
					act={act}
					openFile={openFile}
					{...(hasAnswer && { answer })}
				/>
			</article>
		</>
	);
});

/** The plan that a turn belongs to. */
function planOf(origin: TurnDetail["request"]["origin"]): string | undefined {
	return origin?.kind === "plan" ? origin.id : undefined;
}

function UsageWord({ view: { usage = {} }, detail }: { readonly view: TurnView; readonly detail: TurnDetail }) {
	const [used] = reportedUsage(usageParts(usage), detail);
	return used === undefined ? null : <span className="num usage">{used}</span>;
}

interface SoFarProps {
	readonly view: TurnView;
	readonly provider: string;
	readonly threadId: ThreadId;
	/** When the run's state was last known, if contact with it is lost. */
	readonly asOf: string | undefined;
}

/** What the run has done so far. */
function SoFar({ view: { items, asked, receipts }, provider, threadId, asOf }: SoFarProps) {
	const activity = useMemo(() => activitySoFar(receipts), [receipts]);
	const live = useMemo(() => liveRun({ items, asked, receipts }, asOf), [items, asked, receipts, asOf]);
	if (activity === undefined || activity.items.length === 0) return null;
	return (
		<div className="out acted-so-far">
			<ActivityBlock activity={activity} threadId={threadId} provider={provider} live={live} />
		</div>
	);
}

interface TurnEndProps extends Pick<TurnBlockProps, "reader" | "detail" | "pending" | "act" | "openFile"> {
	readonly view: TurnView;
	readonly provider: string;
	/** When the run's state was last known, if contact with it is lost. */
	readonly asOf: string | undefined;
	/** Everything that the agent said. */
	readonly answer?: string;
}

function TurnEnd({ reader, detail, view, provider, pending, asOf, act, openFile, answer }: TurnEndProps) {
	const { app } = useApp();
	const { detail: opened, files } = useStore(reader.open);
	const isWhole = useWhole();
	const { bridge } = app;
	const run = files?.runs.find((candidate) => candidate.runId === detail.turn.runId && !isOfRunUnderWay(candidate));
	const end = pending
		? undefined
		: deriveOutcome({
				detail,
				view,
				provider,
				...(run && { files: run }),
				isFetchedAgain: opened !== undefined && isFetchedAgain(opened.thread, detail.turn.turnId, Date.now()),
				isArchived: opened?.thread.lifecycleStatus === "archived",
				...(opened && { turns: opened.turns.map(({ turn }) => turn) }),
			});
	const { threadId } = reader;
	if (end === undefined) return <SoFar view={view} provider={provider} threadId={threadId} asOf={asOf} />;
	const acted = withActions(end, detail.snapshot);
	const own = detail.request.origin?.kind === "plan" ? throughPlan(acted.actions) : acted.actions;
	const outcome = { ...acted, actions: startable(own, bridge) };
	const { runId, turnId } = detail.turn;
	// The files of a run that succeeded are in the folder, whatever its answer claims.
	const isSaved = outcome.tone === "ok" || outcome.tone === "mixed";
	// A stopped run's files are listed too, including those that it wrote after the stop was requested, because the bridge keeps them. Those
	// of any other run are listed only where everything is: on paper, and while the thread is searched, because the search finds file names.
	const isListed = isSaved || outcome.tone === "miss" || outcome.tone === "off" || isWhole;
	const shown = isListed ? (run?.files ?? []) : [];
	const activity = detail.snapshot?.activity ?? activitySoFar(view.receipts);
	const actions = activity && <ActivityBlock activity={activity} threadId={threadId} provider={provider} />;
	// Calls that only the agent reports are shown below the outcome's card. They change the outcome only if they were made without
	// permission, or if the files contradict them (withActions).
	const isActed = hasExecuted(activity);
	const more = outcome.quiet !== true && (
		<>
			{shown.length > 0 && runId !== undefined && isSaved && (
				<>
					<button type="button" className="btn" onClick={() => void attempt(() => callApp("openFolder", { threadId }))}>
						<Icon of={FolderOpen} />
						{words.outcome.openFolder}
					</button>
					<button
						type="button"
						className="btn"
						title={fill(archiveWords.ofRun, { name: words.outcome.allZip })}
						onClick={() => void downloadArchive({ threadId, runId, format: "zip" })}
					>
						<Icon of={Download} />
						{words.outcome.allZip}
					</button>
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
		<>
			<OutcomeCard
				outcome={outcome}
				files={shown}
				{...(shown.length > 0 && run && { fileCount: run.count })}
				act={(action) => act(action, detail)}
				{...(answer !== undefined && { answer })}
				{...(run?.setAside && { setAside: <SetAsideList threadId={threadId} runId={run.runId} files={run.setAside} /> })}
				openFile={(path) => runId !== undefined && openFile(runId, path)}
				more={more}
				{...(isActed && { activity: actions })}
			/>
			{!isActed && actions !== undefined && <div className="acted-by">{actions}</div>}
		</>
	);
}

import type { Approval } from "@xworkmate/contracts";
import { FolderOpen, SquarePen } from "lucide-react";
import { type ReactNode, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { actionWords } from "../../strings/codes.ts";
import { fill, words } from "../../strings/interface.ts";
import { stopAskedAt } from "../../text/runs/stop-asked-at.ts";
import { hasRunSucceeded } from "../agents/agents-found.ts";
import { ApprovalPrompt } from "../approvals/approval-prompt.tsx";
import { nextAsked, type ShownRequest, togetherAsked } from "../approvals/asked-list.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { SlowWord } from "../components/slow-word.tsx";
import { StateChip } from "../components/state-chip.tsx";
import { StopButton } from "../components/stop-button.tsx";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { actInThread } from "../conversation/wished-act.ts";
import { useHearing } from "../follow/use-lost.ts";
import { forgetFailure, OnDemand } from "../on-demand/on-demand.ts";
import { PartFault } from "../on-demand/part-fault.tsx";
import { AsOf } from "../plans/as-of.tsx";
import { usePlansAsOf } from "../plans/use-plans.ts";
import { useApp, useProviderName, useWaitingOf, waitingWords } from "../state/app-context.tsx";
import { hrefOf } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { useClock } from "../state/use-clock.ts";
import { useStop } from "../state/use-stop.ts";
import { formatTime, formatWhen } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { againSafely, throughPlan } from "../turn/again-safely.ts";
import { openable } from "../turn/openable.ts";
import { startable } from "../turn/startable.ts";
import { hintOfThread, takenPlaces, underWayTitle, wordsOfEnd } from "../turn/thread-hint.ts";
import { asOfThread, groupThreads, isFinished, isQuiet, type ListedThread, threadWord } from "../turn/thread-state.ts";
import { AddFirstAgent } from "./add-agent.tsx";
import { FirstFile } from "./first-file.tsx";
import { FirstRun } from "./first-run.tsx";

// Loaded on demand, because most users have neither held plans nor requests from typed tools when the page is opened.
const heldPlansList = new OnDemand(() => import("./held-plans.tsx").then((module) => module.HeldPlans));
/** Requests from typed tools. */
const group = new OnDemand(() => import("../approvals/request-group.tsx").then(({ RequestGroup }) => RequestGroup));

const FINISHED = 20;

/** Waiting requests, active runs, failures and the other results of the day; before the first thread, what to try first. */
export function HomePage() {
	const { app } = useApp();
	return app.threads.length === 0 ? <FirstRun /> : <NowLists />;
}

function NowLists() {
	const { app } = useApp();
	const minute = Math.floor(useClock() / 60_000);
	const groups = useMemo(() => {
		const asked = new Set<string>(app.approvals.map(({ threadId }) => threadId));
		return groupThreads(app.threads, asked, minute * 60_000);
	}, [app.threads, app.approvals, minute]);
	const listed = (group: string) => groups.find((one) => one.group === group)?.threads ?? [];
	const hearing = useHearing();
	const running = listed("running");
	const asks = useRef<HTMLDivElement>(null);
	const asked = useAsked(asks);
	const held = listed("needs").filter(({ state }) => state !== "needs_you");
	const today = listed("today");
	const threadOf = (threadId: string) => app.threads.find((thread) => thread.threadId === threadId);
	const waiting = waitingWords(useWaitingOf());
	const sections = [
		{ title: underWayTitle(running, hearing), threads: running },
		{ title: words.home.failed, threads: listed("failed") },
		{ title: words.home.finished, threads: today.filter(({ state }) => isFinished(state)).slice(0, FINISHED) },
		{ title: words.home.stopped, threads: today.filter(({ state }) => state === "cancelled") },
	].filter(({ threads }) => threads.length > 0);
	const heldPlans = app.plans?.needsReview ?? 0;
	const isWaiting = asked.length + held.length + heldPlans > 0;
	const waitingHead = waiting === "" ? words.home.answered : words.home.needs;
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.home.title} say={words.home.lead}>
				<a className="btn only-phone" href={hrefOf({ page: "new" })} aria-label={words.sidebar.fresh}>
					<Icon of={SquarePen} />
				</a>
			</PageBar>
			<div className="scroll">
				<div className="page">
					{!isWaiting && sections.length === 0 && <Nothing />}
					{isWaiting && (
						<section className="block" aria-label={waitingHead}>
							<h2>
								{waitingHead} {waiting !== "" && <span className="count">{waiting}</span>}
								{waiting !== "" && <AsOf />}
							</h2>
							<div className="asks" ref={asks}>
								{togetherAsked(asked).map(([first, ...rest]) => (
									<Asked key={first.approvalId} approvals={[first, ...rest]} thread={threadOf(first.threadId)} />
								))}
							</div>
							{held.length > 0 && <ThreadItems listed={held} />}
							{heldPlans > 0 && (
								<Late>
									<heldPlansList.Part />
								</Late>
							)}
						</section>
					)}
					{sections.map(({ title, threads }) => (
						<section className="block" key={title} aria-label={title}>
							<h2>{title}</h2>
							<ThreadItems listed={threads} />
						</section>
					))}
					{!hasRunSucceeded(app.threads) && !isWaiting && running.length === 0 && (
						<section className="block" aria-label={words.first.head}>
							<h2>{words.first.head}</h2>
							<p className="soft">{words.first.lead}</p>
							<FirstFile />
						</section>
					)}
					<AddFirstAgent />
				</div>
			</div>
		</main>
	);
}

/**
 * Says that nothing is running or waiting or, if that may be out of date, since when. Before the plans are known, nothing is said while the
 * bridge is being asked for them; if the bridge is away, the sentence is only about threads.
 */
function Nothing() {
	const { app } = useApp();
	const asOf = usePlansAsOf();
	const { nothing, nothingAsOf, noThread } = words.home;
	if (app.plans?.known === false) return app.bridge.state === "connected" || asOf !== undefined ? null : <p className="lead">{noThread}</p>;
	return <p className="lead">{asOf === undefined ? nothing : fill(nothingAsOf, { time: formatTime(asOf) })}</p>;
}

/** The waiting requests and, for a moment, those that were just answered. */
function useAsked(list: RefObject<HTMLElement | null>): readonly ShownRequest[] {
	const { app, link } = useApp();
	const answers = useStore(link.answers);
	const now = useClock();
	const [shown, setShown] = useState<readonly ShownRequest[]>(() => app.approvals.map((approval) => ({ approval })));
	useEffect(() => {
		const isInUse = list.current?.matches(":hover, :focus-within") ?? false;
		setShown((before) => nextAsked(before, { pending: app.approvals, answers, now, isInUse }));
	}, [list, app.approvals, answers, now]);
	return shown;
}

interface AskedProps {
	readonly approvals: readonly [Approval, ...Approval[]];
	readonly thread: ThreadSummary | undefined;
}

function Asked({ approvals, thread }: AskedProps) {
	const provider = useProviderName(thread?.providerId);
	return (
		<div>
			{thread !== undefined && <ThreadLink thread={thread} />}
			{approvals[0].toolId === undefined ? (
				<ApprovalPrompt approval={approvals[0]} provider={provider} />
			) : (
				<Late>
					<group.Part approvals={approvals} provider={provider} />
				</Late>
			)}
		</div>
	);
}

/** A part whose code is loaded once there is something to show. */
function Late({ children }: { readonly children: ReactNode }) {
	return (
		<ErrorBoundary fallbackRender={(fault) => <PartFault {...fault} className="part-fault" />} onError={forgetFailure}>
			<Suspense fallback={<SlowWord word={words.page.loadingPart} />}>{children}</Suspense>
		</ErrorBoundary>
	);
}

function ThreadLink({ thread }: { readonly thread: ThreadSummary }) {
	return (
		<a className="nm" href={hrefOf({ page: "thread", threadId: thread.threadId })}>
			{visibleName(thread.title)}
		</a>
	);
}

function ThreadItems({ listed }: { readonly listed: readonly ListedThread[] }) {
	return (
		<ul className="list">
			{listed.map((one) => (
				<li className="item whole" key={one.thread.threadId}>
					<div className="grow">
						<ThreadLink thread={one.thread} />
						<div className="sub">
							<ThreadChip {...one} />
							<ThreadSay thread={one.thread} />
						</div>
					</div>
					<div className="end">
						<ItemActs {...one} />
					</div>
					<time className="num" dateTime={one.thread.updatedAt}>
						{formatWhen(one.thread.updatedAt, Date.now())}
					</time>
				</li>
			))}
		</ul>
	);
}

function ThreadChip({ thread, state }: ListedThread) {
	const word = threadWord(thread, state);
	return (
		<StateChip
			state={state}
			look={isQuiet(state) && word === undefined ? "icon" : "word"}
			{...(word !== undefined && { word })}
			asOf={asOfThread({ thread, state }, useHearing())}
			{...(thread.gatewayQueue && state === "queued" && { place: thread.gatewayQueue })}
		/>
	);
}

/** Buttons for useful actions: stop an active run, act on a failure, open the delivered files. */
function ItemActs({ thread, state }: ListedThread) {
	const { threadId, pendingTurnId, preview, fileCount, collectedCount, hasActed = false } = thread;
	const { bridge } = useApp().app;
	if (pendingTurnId !== undefined) return state === "syncing" ? null : <StopThread thread={thread} turnId={pendingTurnId} />;
	const end = wordsOfEnd(thread);
	const isOver = state === "succeeded" || state === "cancelled" || end === undefined;
	const offered = isOver ? [] : againSafely(openable(startable(end.actions, bridge), collectedCount), hasActed);
	// Only a plan's run has no preview, because a message is never empty.
	const [action] = preview === "" ? throughPlan(offered) : offered;
	return (
		<>
			{action !== undefined && (
				<button type="button" className="btn" onClick={() => actInThread(threadId, action)}>
					{actionWords[action]}
				</button>
			)}
			{fileCount > 0 && (
				<button type="button" className="btn quiet" onClick={() => void attempt(() => callApp("openFolder", { threadId }))}>
					<Icon of={FolderOpen} />
					<span className="vh-n">{words.outcome.openFolder}</span>
				</button>
			)}
		</>
	);
}

function ThreadSay({ thread }: { readonly thread: ThreadSummary }) {
	const { app } = useApp();
	const isQueued = thread.lastTurn?.status === "queued";
	const places = isQueued ? takenPlaces(app, app.bridge.capabilities?.limits.maxActiveRuns) : undefined;
	return <span className="cut">{hintOfThread(thread, useProviderName(thread.providerId), places)}</span>;
}

function StopThread({ thread, turnId }: { readonly thread: ThreadSummary; readonly turnId: NonNullable<ThreadSummary["pendingTurnId"]> }) {
	const { kept, stop } = useStop({ threadId: thread.threadId, turnId });
	const { stopAsked, stopSending, stopUnsent, stopNotSaved } = words.run;
	const unconfirmed = typeof kept === "object" ? stopNotSaved : kept && { sending: stopSending, unsent: stopUnsent }[kept];
	const asked = stopAskedAt(thread.lastTurn) !== undefined ? stopAsked : unconfirmed;
	return <StopButton word={asked ?? words.run.stop} disabled={asked !== undefined} stop={stop} />;
}

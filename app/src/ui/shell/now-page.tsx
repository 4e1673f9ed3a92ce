import type { Approval } from "@xworkmate/contracts";
import { FolderOpen, Square } from "lucide-react";
import { useMemo, useState } from "react";
import type { ThreadSummary } from "../../core/ui-api.ts";
import { callApp } from "../client/call-app.ts";
import { askToStop, keptStops } from "../client/kept-stops.ts";
import { useStore } from "../client/store.ts";
import { formatWhen } from "../model/format.ts";
import { sayOfThread } from "../model/thread-say.ts";
import { asOfThread, groupThreads, type ListedThread } from "../model/thread-state.ts";
import { visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { StateChip } from "../parts/state-chip.tsx";
import { words } from "../words/interface.ts";
import { useApp, useProviderName } from "./app-context.tsx";
import { AskedHere } from "./asked-here.tsx";
import { FirstRun } from "./first-run.tsx";
import { useClock } from "./now.ts";
import { PageBar } from "./page-bar.tsx";
import { hrefOf } from "./route.ts";
import { attempt } from "./thread-acts.ts";
import { useHearing } from "./use-lost.ts";

const CAME_OUT = 20;

/** What needs the person, what runs, what came out; before the first thread, how to get a first file. */
export function NowPage() {
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
	const needs = listed("needs").filter(({ state }) => state !== "needs_you");
	const running = listed("running");
	const hearing = useHearing();
	const runningHead = running.every((one) => asOfThread(one, hearing) !== undefined) ? words.run.lastSeen : words.now.running;
	const cameOut = listed("today").slice(0, CAME_OUT);
	const threadOf = (threadId: string) => app.threads.find((thread) => thread.threadId === threadId);
	const asked = useAsked();
	const isQuiet = asked.length + needs.length + running.length + cameOut.length === 0;
	return (
		<main className="main">
			<PageBar title={words.now.title} say={words.now.lead} />
			<div className="scroll">
				<div className="page">
					{isQuiet && <p className="lead">{words.now.nothing}</p>}
					{asked.length + needs.length > 0 && (
						<section className="block" aria-label={words.now.needs}>
							<h2>
								{words.now.needs} {app.approvals.length > 0 && <span className="count">{app.approvals.length}</span>}
							</h2>
							<div className="asks">
								{asked.map((approval) => (
									<Asked key={approval.approvalId} approval={approval} thread={threadOf(approval.threadId)} />
								))}
							</div>
							{needs.length > 0 && <ThreadItems listed={needs} />}
						</section>
					)}
					{running.length > 0 && (
						<section className="block" aria-label={runningHead}>
							<h2>{runningHead}</h2>
							<ThreadItems listed={running} stop />
						</section>
					)}
					{cameOut.length > 0 && (
						<section className="block" aria-label={words.now.cameOut}>
							<h2>{words.now.cameOut}</h2>
							<ThreadItems listed={cameOut} />
						</section>
					)}
				</div>
			</div>
		</main>
	);
}

/**
 * What waits, and what waited here a moment ago: an answer of another window stands in its place until the page is left,
 * so that no button moves under the pointer.
 */
function useAsked(): readonly Approval[] {
	const { app, link } = useApp();
	const answers = useStore(link.answers);
	const [shown, setShown] = useState<readonly Approval[]>(app.approvals);
	const known = new Set(shown.map(({ approvalId }) => approvalId));
	const fresh = app.approvals.filter(({ approvalId }) => !known.has(approvalId));
	if (fresh.length > 0) setShown([...shown, ...fresh]);
	const pending = new Set(app.approvals.map(({ approvalId }) => approvalId));
	return shown.filter(({ approvalId }) => pending.has(approvalId) || isOver(answers.get(approvalId)));
}

function isOver(record: Approval | undefined): boolean {
	return record !== undefined && record.state !== "pending";
}

function Asked({ approval, thread }: { readonly approval: Approval; readonly thread: ThreadSummary | undefined }) {
	const provider = useProviderName(thread?.providerId);
	return (
		<div>
			{thread !== undefined && <ThreadLink thread={thread} />}
			<AskedHere approval={approval} provider={provider} />
		</div>
	);
}

function ThreadLink({ thread }: { readonly thread: ThreadSummary }) {
	return (
		<a className="nm" href={hrefOf({ page: "thread", threadId: thread.threadId })}>
			{visibleName(thread.title)}
		</a>
	);
}

function ThreadItems({ listed, stop = false }: { readonly listed: readonly ListedThread[]; readonly stop?: boolean }) {
	return (
		<ul className="list">
			{listed.map(({ thread, state }) => (
				<li className="item" key={thread.threadId}>
					<div className="grow">
						<ThreadLink thread={thread} />
						<div className="sub">
							<ThreadChip thread={thread} state={state} />
							<ThreadSay thread={thread} />
							<span className="num">{formatWhen(thread.updatedAt, Date.now())}</span>
						</div>
					</div>
					<div className="end">
						{stop && thread.pendingTurnId !== undefined && state !== "syncing" && (
							<StopButton thread={thread} turnId={thread.pendingTurnId} />
						)}
						{thread.fileCount > 0 && !stop && (
							<button
								type="button"
								className="btn quiet"
								onClick={() => void attempt(() => callApp("openFolder", { threadId: thread.threadId }))}
							>
								<Icon of={FolderOpen} />
								<span className="vh-n">{words.outcome.openFolder}</span>
							</button>
						)}
					</div>
				</li>
			))}
		</ul>
	);
}

function ThreadChip({ thread, state }: ListedThread) {
	return (
		<StateChip
			state={state}
			look="word"
			asOf={asOfThread({ thread, state }, useHearing())}
			{...(thread.lane && state === "queued" && { place: thread.lane })}
		/>
	);
}

function ThreadSay({ thread }: { readonly thread: ThreadSummary }) {
	const places = useApp().app.bridge.capabilities?.limits.maxActiveRuns;
	return <span className="wrap">{sayOfThread(thread, useProviderName(thread.providerId), places)}</span>;
}

function StopButton({ thread, turnId }: { readonly thread: ThreadSummary; readonly turnId: NonNullable<ThreadSummary["pendingTurnId"]> }) {
	const isKept = useStore(keptStops).some((stop) => stop.turnId === turnId);
	const isHeard = useHearing().isLive && thread.asOf === undefined;
	const isAsked = isKept || thread.lastTurn?.cancelRequestedAt !== undefined;
	return (
		<button
			type="button"
			className="btn"
			disabled={isAsked}
			onClick={() => void attempt(() => askToStop({ threadId: thread.threadId, turnId }))}
		>
			<Icon of={Square} />
			{isAsked ? (isHeard ? words.rail.stopping : words.run.stopAsked) : words.run.stop}
		</button>
	);
}

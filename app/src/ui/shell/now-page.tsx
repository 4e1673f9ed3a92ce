import { FolderOpen, Square } from "lucide-react";
import { useMemo } from "react";
import type { ThreadSummary } from "../../core/ui-api.ts";
import { callApp } from "../client/call-app.ts";
import { formatWhen } from "../model/format.ts";
import { groupThreads, type ListedThread } from "../model/thread-state.ts";
import { oneLine, visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { StateChip } from "../parts/state-chip.tsx";
import { wordsOf } from "../words/codes.ts";
import { count, words } from "../words/interface.ts";
import { useApp } from "./app-context.tsx";
import { AskedHere } from "./asked-here.tsx";
import { FirstRun } from "./first-run.tsx";
import { useClock } from "./now.ts";
import { PageBar } from "./page-bar.tsx";
import { hrefOf } from "./route.ts";
import { attempt } from "./thread-acts.ts";

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
	const cameOut = listed("today").slice(0, CAME_OUT);
	const titleOf = (threadId: string) => app.threads.find((thread) => thread.threadId === threadId);
	const isQuiet = app.approvals.length + needs.length + running.length + cameOut.length === 0;
	return (
		<main className="main">
			<PageBar title={words.now.title} say={words.now.lead} />
			<div className="scroll">
				<div className="page">
					{isQuiet && <p className="lead">{words.now.nothing}</p>}
					{app.approvals.length + needs.length > 0 && (
						<section className="block" aria-label={words.now.needs}>
							<h2>
								{words.now.needs} {app.approvals.length > 0 && <span className="count">{app.approvals.length}</span>}
							</h2>
							<div className="asks">
								{app.approvals.map((approval) => {
									const thread = titleOf(approval.threadId);
									return (
										<div key={approval.approvalId}>
											{thread !== undefined && <ThreadLink thread={thread} />}
											<AskedHere approval={approval} provider={words.ask.anAgent} />
										</div>
									);
								})}
							</div>
							{needs.length > 0 && <ThreadItems listed={needs} />}
						</section>
					)}
					{running.length > 0 && (
						<section className="block" aria-label={words.now.running}>
							<h2>{words.now.running}</h2>
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
							<StateChip state={state} look="word" {...(thread.lane && { place: thread.lane })} />
							<span>{sayOf(thread)}</span>
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

function StopButton({ thread, turnId }: { readonly thread: ThreadSummary; readonly turnId: NonNullable<ThreadSummary["pendingTurnId"]> }) {
	const isAsked = thread.lastTurn?.cancelRequestedAt !== undefined;
	return (
		<button
			type="button"
			className="btn"
			disabled={isAsked}
			onClick={() => void attempt(() => callApp("cancelTurn", { threadId: thread.threadId, turnId }))}
		>
			<Icon of={Square} />
			{isAsked ? words.rail.stopping : words.run.stop}
		</button>
	);
}

function sayOf({ fileCount, lastTurn, preview }: ThreadSummary): string {
	if (fileCount > 0) return count(fileCount, "file");
	const code = lastTurn?.resultDetail?.code;
	const title = code === undefined || lastTurn?.status === "completed" ? "" : wordsOf(code).title;
	return title === "" || title.includes("{") ? oneLine(preview.slice(0, 80)) : title;
}

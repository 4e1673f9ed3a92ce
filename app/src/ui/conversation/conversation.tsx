import { Archive, ArchiveRestore, ArrowDown, WifiOff } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import type { ThreadSummary, TurnDetail } from "../../api/ui-api.ts";
import { isBridgeGone } from "../../process/bridge/bridge-trouble.ts";
import type { ActionId } from "../../strings/codes.ts";
import { fill, words } from "../../strings/interface.ts";
import { menuWords } from "../../strings/threads/menu-words.ts";
import { GrantBar } from "../approvals/grant-bar.tsx";
import { Icon } from "../components/icon.tsx";
import { Composer } from "../composer/composer.tsx";
import type { ComposerHandle } from "../composer/composer-handle.ts";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { FindBar } from "../find/find-bar.tsx";
import { useReadTurns } from "../find/use-read-turns.ts";
import type { ThreadReader } from "../follow/thread-reader.ts";
import { useAsOf, useLost } from "../follow/use-lost.ts";
import { useRequest } from "../keys/keys.ts";
import { QueuedList } from "../queue/queued-list.tsx";
import { actOnOutcome } from "../run/outcome-actions.ts";
import { isPastStop, RunBar } from "../run/run-bar.tsx";
import { useApp, useBridgeNow } from "../state/app-context.tsx";
import { closeFind, findText, openFind } from "../state/find-text.ts";
import { attempt, toggleArchived } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { useStop } from "../state/use-stop.ts";
import { formatTime } from "../text/format.ts";
import { takenPlaces } from "../turn/thread-hint.ts";
import { isTurnOver } from "../turn/thread-state.ts";
import { endOf, withAnswers, withTurn } from "../turn/turn-view.ts";
import { ContinuedNote } from "./continued-note.tsx";
import { MessageMenu } from "./message-menu.tsx";
import { SentBubble } from "./sent-bubble.tsx";
import { useStickToBottom } from "./stick-to-bottom.ts";
import { TurnBlock } from "./turn-block.tsx";
import { useWishedAct } from "./wished-act.ts";

/** How many of the newest turns are read immediately. Older turns are read when they come near the viewport or the thread is searched. */
const READ_TURNS = 4;

interface ConversationProps {
	readonly reader: ThreadReader;
	readonly summary: ThreadSummary | undefined;
	openFile(runId: string, relativePath: string): void;
	openPanel(): void;
}

export function Conversation({ reader, summary, openFile, openPanel }: ConversationProps) {
	const { detail, problem, files, filesProblem } = useStore(reader.open);
	const composer = useRef<ComposerHandle>(null);
	const pendingTurnId = summary?.pendingTurnId ?? detail?.thread.pendingTurnId;
	const { scroll, content, isBelow, onScroll, toEnd, leaveEnd } = useStickToBottom(pendingTurnId !== undefined);
	const act = useCallback(
		(action: ActionId, turn: TurnDetail) => {
			// After sending another message, the user wants to see its result.
			if (action === "retry" || action === "send_as_new") toEnd();
			actOnOutcome({ action, detail: turn, threadId: reader.threadId, composer: composer.current, openPanel });
		},
		[reader, openPanel, toEnd],
	);
	const turns = detail?.turns ?? [];
	const [first] = turns;
	const pending = turns.find(({ turn }) => turn.turnId === pendingTurnId);
	useWishedAct(reader.threadId, turns.at(-1), act);
	const edit = useCallback((turn: TurnDetail) => {
		composer.current?.writeAgain(turn);
		say(menuWords.editSay);
	}, []);
	const open = useStore(findText);
	const find = open?.threadId === reader.threadId ? open : undefined;
	const { wanted, isAllRead } = useReadTurns(reader, detail?.turns, find !== undefined && find.text.trim() !== "");
	// The search includes the names of files.
	const isWhole = isAllRead && (files !== undefined || filesProblem !== undefined);
	const findHere = useCallback(() => openFind(reader.threadId), [reader]);
	useRequest("find", findHere);
	useEffect(() => () => closeFind(reader.threadId), [reader]);
	return (
		<>
			<MessageMenu threadId={reader.threadId} edit={edit} />
			{find !== undefined && <FindBar find={find} isAllRead={isWhole} scroll={scroll} leaveEnd={leaveEnd} />}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: the conversation must be scrollable by keyboard */}
			<section className="scroll" ref={scroll} onScroll={onScroll} tabIndex={0} aria-label={words.thread.conversation}>
				<div className="read" ref={content}>
					{detail === undefined && <p className="muted">{problem ?? words.thread.loading}</p>}
					{first?.request.continues && <ContinuedNote continued={first.request.continues} />}
					{turns.map((turn, index) => (
						<TurnBlock
							key={turn.turn.turnId}
							reader={reader}
							detail={turn}
							pending={turn.turn.turnId === pendingTurnId}
							readNow={index >= turns.length - Math.max(READ_TURNS, wanted)}
							act={act}
							openFile={openFile}
						/>
					))}
					<SentBubble threadId={reader.threadId} detail={detail} />
				</div>
			</section>
			<div className="dock">
				{isBelow && (
					<button type="button" className="btn below" onClick={toEnd}>
						<Icon of={ArrowDown} />
						{words.thread.newBelow}
					</button>
				)}
				<div className="dockbox">
					<AsOfBar reader={reader} />
					{pending !== undefined && <PendingBar reader={reader} pending={pending} />}
					<GrantBar threadId={reader.threadId} onGone={() => composer.current?.focus()} />
					{detail !== undefined && <QueuedList detail={detail} composer={composer} reread={() => void reader.read()} />}
					{summary?.lifecycleStatus === "archived" && <ArchivedBar thread={summary} />}
					{detail !== undefined && <Composer ref={composer} thread={detail} busy={pendingTurnId !== undefined} onSent={toEnd} />}
				</div>
			</div>
		</>
	);
}

/**
 * Shows the time of the last complete read if a later read of the thread has failed. If the app is unreachable, the whole page says so
 * instead.
 */
function AsOfBar({ reader }: Pick<ConversationProps, "reader">) {
	const { state } = useApp();
	const { detail, failedReads = 0, readAt } = useStore(reader.open);
	if (state !== "live" || detail === undefined || failedReads === 0) return null;
	return (
		<div className="live" role="status">
			<div className="live-t st st-unk">
				<Icon of={WifiOff} />
				<span className="grow">
					{readAt === undefined ? words.thread.notAllRead : fill(words.thread.readAsOf, { time: formatTime(readAt) })}
				</span>
			</div>
		</div>
	);
}

/** Says that the thread is archived, with a button that restores it. */
function ArchivedBar({ thread }: { readonly thread: ThreadSummary }) {
	return (
		<div className="live archived-bar">
			<div className="live-t">
				<Icon of={Archive} />
				<span className="grow">{words.archive.is}</span>
				<button type="button" className="btn" onClick={() => toggleArchived(thread)}>
					<Icon of={ArchiveRestore} />
					{words.menu.restore}
				</button>
			</div>
		</div>
	);
}

/** The bar of the active turn, with the button that stops it. */
function PendingBar({ reader, pending }: { readonly reader: ThreadReader; readonly pending: TurnDetail }) {
	const { app, state, link, announce } = useApp();
	const summary = app.threads.find(({ threadId }) => threadId === reader.threadId);
	const now = useBridgeNow();
	const { turn, request, snapshot } = pending;
	const followed = useStore(reader.turn(turn.turnId).turn);
	const answers = useStore(link.answers);
	const { kept, stop } = useStop({ threadId: reader.threadId, turnId: turn.turnId });
	const isPast = isPastStop(followed.view);
	const stopIfPossible = useCallback(() => (isPast ? announce(words.run.cannotStop) : stop()), [isPast, announce, stop]);
	useRequest("stop", stopIfPossible);
	const { cancelRequestedAt, stoppingSince } = turn;
	const byBridge = (at: string) => new Date(Date.parse(at) + app.bridge.clockAheadMs).toISOString();
	// For a turn that was started elsewhere, the bridge recorded when it began. A run of this app that was adopted again after a restore has
	// no origin.
	const createdAt = request.origin === undefined ? byBridge(turn.createdAt) : turn.createdAt;
	const isAway = useLost(followed);
	const asOf = useAsOf(reader.threadId);
	// The turn has ended and its thread is being read again. In the meantime, the bar must not say that it is running.
	if (endOf(followed.view) !== undefined || (summary !== undefined && isTurnOver(summary, turn.turnId))) return null;
	return (
		<RunBar
			view={withTurn(withAnswers(followed.view, answers), pending)}
			createdAt={createdAt}
			now={now}
			away={isAway}
			appAway={state !== "live"}
			asOf={asOf}
			bridgeEnded={isBridgeGone(app.bridge.trouble)}
			gateway={request.routing.executionTarget === "gateway"}
			places={takenPlaces(app, app.bridge.capabilities?.limits.maxActiveRuns)}
			{...(kept !== undefined && { kept })}
			{...(cancelRequestedAt !== undefined && { cancelRequestedAt: byBridge(cancelRequestedAt) })}
			{...(stoppingSince !== undefined && { stoppingSince })}
			{...(snapshot?.deadlineAt !== undefined && { deadlineAt: snapshot.deadlineAt })}
			stop={stop}
			tryNow={() => {
				link.tryNow();
				if (state === "live") void attempt(() => callApp("testBridge", {}));
			}}
		/>
	);
}

import type { ThreadId } from "@xworkmate/contracts";
import { FileDiff, Folder, Route as RouteIcon } from "lucide-react";
import { useCallback } from "react";
import { changesWords } from "../../strings/files/changes-words.ts";
import { words } from "../../strings/interface.ts";
import { originWords } from "../../strings/origin-words.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { StateChip } from "../components/state-chip.tsx";
import { useStore } from "../connection/store.ts";
import { Conversation } from "../conversation/conversation.tsx";
import { ArchiveDialog } from "../files/archive-dialog.tsx";
import { countFiles } from "../files/file-order.ts";
import { FilesPanel } from "../files/files-panel.tsx";
import { useHearing } from "../follow/use-lost.ts";
import { useThreadReader } from "../follow/use-thread-reader.ts";
import { useRequest } from "../keys/keys.ts";
import { ThreadMenuButton } from "../sidebar/thread-menu-button.tsx";
import { useApp } from "../state/app-context.tsx";
import { go, hrefOf, type OpenPanel } from "../state/route.ts";
import { withKeys } from "../text/key-names.ts";
import { visibleName } from "../text/visible-text.ts";
import { asOfThread, type ListedThread, threadState, threadWord } from "../turn/thread-state.ts";
import { FirstSteps } from "./first-steps.tsx";
import { GoneThread } from "./gone-thread.tsx";

interface ThreadPageProps {
	readonly threadId: ThreadId;
	readonly panel?: OpenPanel;
}

/** One thread: its conversation, and its files beside it. */
export function ThreadPage({ threadId, panel }: ThreadPageProps) {
	const { app } = useApp();
	const summary = app.threads.find((thread) => thread.threadId === threadId);
	const reader = useThreadReader(threadId, summary);
	const { files, isGone = false, detail } = useStore(reader.open);
	const origin = detail?.turns[0]?.request.origin;
	const fileCount = files === undefined ? (summary?.artifactCount ?? 0) : countFiles(files);
	// The open side panel is part of the address, so that reload, Back and Forward show it again.
	const setPanel = useCallback((to: OpenPanel | undefined) => go({ page: "thread", threadId, ...(to && { panel: to }) }), [threadId]);
	const isOpen = panel !== undefined;
	const togglePanel = useCallback(() => setPanel(isOpen ? undefined : {}), [setPanel, isOpen]);
	const openFile = useCallback((runId: string, relativePath: string) => setPanel({ file: { runId, relativePath } }), [setPanel]);
	const openPanel = useCallback(() => {
		if (!isOpen) setPanel({});
	}, [setPanel, isOpen]);
	useRequest("files", togglePanel);
	const lastTurnId = summary?.lastTurn?.turnId;
	const openLog = useCallback(() => {
		if (lastTurnId !== undefined) go({ page: "log", threadId, turnId: lastTurnId });
	}, [threadId, lastTurnId]);
	useRequest("log", openLog);
	// Esc first closes the file, then the list of files.
	const isFileOpen = panel?.file !== undefined;
	const closeOne = useCallback(() => {
		if (!isOpen) return false;
		setPanel(isFileOpen ? {} : undefined);
		return true;
	}, [setPanel, isOpen, isFileOpen]);
	useRequest("close", closeOne);
	// The thread is gone only if it is not in the list either. A thread that is too new for the list may still exist.
	if (isGone && summary === undefined) return <GoneThread threadId={threadId} />;
	return (
		<>
			<main className="main" tabIndex={-1}>
				<PageBar
					title={visibleName(summary?.title ?? words.thread.loading)}
					chip={summary && <HeaderChip thread={summary} state={threadState(summary, isAsked(app, threadId))} />}
					{...(origin && { say: visibleName(originWords(origin)) })}
				>
					{lastTurnId !== undefined && (
						<a
							className="ib"
							href={hrefOf({ page: "log", threadId, turnId: lastTurnId })}
							aria-label={words.thread.runLog}
							title={withKeys(words.thread.runLog, "Mod+L")}
						>
							<Icon of={RouteIcon} />
						</a>
					)}
					{summary?.workingDirectory !== undefined && (
						<a className="ib" href={hrefOf({ page: "changes", threadId })} aria-label={changesWords.title} title={changesWords.title}>
							<Icon of={FileDiff} />
						</a>
					)}
					<button
						type="button"
						className="btn quiet fbtn"
						aria-pressed={isOpen}
						title={withKeys(words.thread.files, "Mod+J")}
						onClick={togglePanel}
					>
						<Icon of={Folder} />
						<span className="vh-n">{words.thread.files}</span>
						<span className="num">{fileCount}</span>
					</button>
					{summary && (
						<span className="bar-menu">
							<ThreadMenuButton thread={summary} label={words.thread.more} />
						</span>
					)}
				</PageBar>
				<FirstSteps threadId={threadId} />
				<Conversation reader={reader} summary={summary} openFile={openFile} openPanel={openPanel} />
			</main>
			{panel !== undefined && (
				<FilesPanel
					reader={reader}
					{...(panel.file && { file: panel.file })}
					open={(file) => setPanel(file === undefined ? {} : { file })}
					close={() => setPanel(undefined)}
				/>
			)}
			<ArchiveDialog />
		</>
	);
}

/** Shows the thread's state, except a success, which needs no note above the conversation. */
function HeaderChip({ thread, state }: ListedThread) {
	const asOf = asOfThread({ thread, state }, useHearing());
	if (state === "succeeded") return null;
	const word = threadWord(thread, state);
	return (
		<StateChip
			state={state}
			asOf={asOf}
			{...(word !== undefined && { word })}
			{...(thread.gatewayQueue && { place: thread.gatewayQueue })}
		/>
	);
}

function isAsked({ approvals }: ReturnType<typeof useApp>["app"], threadId: ThreadId): boolean {
	return approvals.some((approval) => approval.threadId === threadId);
}

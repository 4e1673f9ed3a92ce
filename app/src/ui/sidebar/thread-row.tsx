import { Archive, Pencil } from "lucide-react";
import { Fragment, type MouseEvent, memo } from "react";
import { words } from "../../strings/interface.ts";
import { requestName } from "../../text/calls/asked-view.ts";
import { findFolded, foldedHits } from "../../threads/domain/folded-text.ts";
import { Icon } from "../components/icon.tsx";
import { StateChip } from "../components/state-chip.tsx";
import { useStore } from "../connection/store.ts";
import { useHearing } from "../follow/use-lost.ts";
import { useApp, useProviderName } from "../state/app-context.tsx";
import { openToWrite } from "../state/composer-focus.ts";
import { openFind } from "../state/find-text.ts";
import { hrefOf, route, threadOf } from "../state/route.ts";
import { formatWhen } from "../text/format.ts";
import { cutAt } from "../text/marked-text.ts";
import { oneLine, visibleName } from "../text/visible-text.ts";
import { hintOfThread, takenPlaces } from "../turn/thread-hint.ts";
import { asOfThread, isQuiet, type ListedThread, threadWord } from "../turn/thread-state.ts";
import { ThreadMenuButton } from "./thread-menu-button.tsx";

/** The maximum number of matches to highlight in a row. A row has no room for more. */
const MARKED = 20;

interface ThreadRowProps extends ListedThread {
	/** The text around a match. */
	readonly excerpt?: string;
	readonly wanted?: string;
	/** True if Tab stops at this row of the list. */
	readonly isStop: boolean;
}

/** One thread in the list: its title, time, state and a hint, or the passage that matches the search. */
export const ThreadRow = memo(function ThreadRow({ thread, state, excerpt, wanted = "", isStop }: ThreadRowProps) {
	const { app, setPane } = useApp();
	const here = useStore(route);
	const isHere = threadOf(here) === thread.threadId;
	const asked = app.approvals.find(({ threadId }) => threadId === thread.threadId);
	const provider = useProviderName(thread.providerId);
	const title = visibleName(thread.title);
	const isQueued = thread.lastTurn?.status === "queued";
	const places = isQueued ? takenPlaces(app, app.bridge.capabilities?.limits.maxActiveRuns) : undefined;
	const found = excerpt === undefined || findFolded(title, wanted) !== undefined ? undefined : oneLine(excerpt);
	const say = found ?? oneLine(asked === undefined ? hintOfThread(thread, provider, places) : requestName(asked));
	const asOf = asOfThread({ thread, state }, useHearing());
	const word = threadWord(thread, state);
	// Enter produces a click whose `detail` is 0. If the user opens a thread by keyboard, its message field gets the focus.
	const open = (event: MouseEvent) => {
		setPane("thread");
		// A thread that was found by a search opens with its matches marked.
		if (wanted !== "") openFind(thread.threadId, wanted);
		if (event.detail !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		openToWrite(thread.threadId);
	};
	return (
		<>
			<a
				href={hrefOf({ page: "thread", threadId: thread.threadId })}
				data-thread={thread.threadId}
				data-state={state}
				aria-current={isHere ? "page" : undefined}
				tabIndex={isStop ? 0 : -1}
				onClick={open}
			>
				<span className="row-t cut">
					<Marked text={title} wanted={wanted} />
				</span>
				<time dateTime={thread.updatedAt}>{formatWhen(thread.updatedAt, Date.now())}</time>
				<span className="row-s">
					{/* The open thread's icon is animated only on the page of its changes: elsewhere, its own bar is animated. */}
					<StateChip
						state={state}
						look={
							say !== "" && ((isQuiet(state) && word === undefined) || (found !== undefined && thread.unpermitted === undefined))
								? "icon"
								: "word"
						}
						{...(word !== undefined && { word })}
						spin={!isHere || here.page === "changes"}
						asOf={asOf}
						{...(thread.gatewayQueue && state === "queued" && { place: thread.gatewayQueue })}
					/>
					{wanted !== "" && thread.lifecycleStatus === "archived" && (
						<span className="st soft">
							<Icon of={Archive} />
							{words.sidebar.archived}
						</span>
					)}
					{thread.hasDraft && (
						<span className="st soft">
							<Icon of={Pencil} />
							{words.sidebar.draft}
						</span>
					)}
					<span className="cut">{found === undefined ? say : <Marked text={found} wanted={wanted} />}</span>
				</span>
			</a>
			<ThreadMenuButton thread={thread} isInList />
		</>
	);
});

function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
	const hits = foldedHits(text, wanted, MARKED);
	return cutAt(text, hits).map(({ text: piece, of }, index) => {
		const key = `${index}`;
		return of === undefined ? <Fragment key={key}>{piece}</Fragment> : <mark key={key}>{piece}</mark>;
	});
}

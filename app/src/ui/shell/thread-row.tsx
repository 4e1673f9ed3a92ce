import { Pencil } from "lucide-react";
import { memo } from "react";
import { useStore } from "../client/store.ts";
import { formatWhen } from "../model/format.ts";
import { sayOfThread } from "../model/thread-say.ts";
import { asOfThread, type ListedThread } from "../model/thread-state.ts";
import { oneLine, visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { StateChip } from "../parts/state-chip.tsx";
import { words } from "../words/interface.ts";
import { useApp, useProviderName } from "./app-context.tsx";
import { hrefOf, route } from "./route.ts";
import { ThreadMenuButton } from "./thread-menu.tsx";
import { useHearing } from "./use-lost.ts";

/** A hit in the title's own words says nothing that the title does not. */
const TITLE_BEGIN = 40;

/** One thread of the list: title, time, state, and a word of what it is about. */
export const ThreadRow = memo(function ThreadRow({ thread, state, excerpt }: ListedThread & { readonly excerpt?: string }) {
	const { app, setPane } = useApp();
	const here = useStore(route);
	const isHere = (here.page === "thread" || here.page === "log") && here.threadId === thread.threadId;
	const asked = app.approvals.find(({ threadId }) => threadId === thread.threadId);
	const provider = useProviderName(thread.providerId);
	const found = excerpt === undefined || oneLine(excerpt).startsWith(oneLine(thread.title).slice(0, TITLE_BEGIN)) ? undefined : excerpt;
	const say = found ?? (asked === undefined ? sayOfThread(thread, provider, app.bridge.capabilities?.limits.maxActiveRuns) : asked.title);
	const asOf = asOfThread({ thread, state }, useHearing());
	return (
		<>
			<a
				href={hrefOf({ page: "thread", threadId: thread.threadId })}
				data-thread={thread.threadId}
				data-state={state}
				aria-current={isHere ? "page" : undefined}
				onClick={() => setPane("thread")}
			>
				<span className="row-t cut">{visibleName(thread.title)}</span>
				<time dateTime={thread.updatedAt}>{formatWhen(thread.updatedAt, Date.now())}</time>
				<span className="row-s">
					{/* The run of the open thread moves in its own bar. */}
					<StateChip
						state={state}
						look="word"
						spin={!isHere}
						asOf={asOf}
						{...(thread.lane && state === "queued" && { place: thread.lane })}
					/>
					{thread.hasDraft && (
						<span className="st soft">
							<Icon of={Pencil} />
							{words.sidebar.draft}
						</span>
					)}
					<span className="cut">{oneLine(say)}</span>
				</span>
			</a>
			<ThreadMenuButton thread={thread} />
		</>
	);
});

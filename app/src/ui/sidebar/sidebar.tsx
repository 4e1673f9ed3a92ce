import type { StorageSpace } from "@xworkmate/contracts";
import {
	CalendarClock,
	HardDrive,
	House,
	type LucideIcon,
	Mailbox,
	PanelLeft,
	Plug,
	ReceiptText,
	Settings,
	SquarePen,
	Unplug,
	Wrench,
} from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { spaceState } from "../../doctor/space-state.ts";
import { fill, words } from "../../strings/interface.ts";
import { BrandMark } from "../components/brand-mark.tsx";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { bridgeState } from "../doctor/bridge-state.ts";
import { useHearing } from "../follow/use-lost.ts";
import { AsOf } from "../plans/as-of.tsx";
import { useApp, useWaitingOf, waitingWords } from "../state/app-context.tsx";
import { openToWrite } from "../state/composer-focus.ts";
import { openFind } from "../state/find-text.ts";
import { preferences, setPreferences } from "../state/preferences.ts";
import { hrefOf, route } from "../state/route.ts";
import { searchText } from "../state/search-text.ts";
import { narrowingTag, tagFilter, withTag } from "../state/tag-filter.ts";
import { useClock } from "../state/use-clock.ts";
import { formatBytes } from "../text/format.ts";
import { withKeys } from "../text/key-names.ts";
import { useToReview } from "../tools/use-tools.ts";
import { underWayTitle } from "../turn/thread-hint.ts";
import { groupThreads } from "../turn/thread-state.ts";
import { sayFound, useFound } from "./found-threads.ts";
import { SearchField } from "./search-field.tsx";
import { SideEdge } from "./side-edge.tsx";
import { TagFilter } from "./tag-filter.tsx";
import { ThreadList } from "./thread-list.tsx";

const HOUR_MS = 3_600_000;

export function Sidebar() {
	const { setPane } = useApp();
	const here = useStore(route);
	const waitingOf = useWaitingOf();
	const waiting = waitingOf.threads + waitingOf.plans;
	const toReview = useToReview();
	const text = useStore(searchText);
	useEffect(() => () => searchText.set(""), []);
	/** The search text at the time Enter was pressed: its first match is opened as soon as it is found. */
	const [opening, setOpening] = useState<string>();
	const opened = useCallback(() => setOpening(undefined), []);
	return (
		<nav className="side" aria-label={words.sidebar.label}>
			<div className="bar">
				<span className="brand">
					<BrandMark />
					{words.product}
				</span>
				<span className="grow" />
				<button
					type="button"
					className="ib hide-n"
					aria-label={words.sidebar.hide}
					title={withKeys(words.sidebar.hide, "Mod+B")}
					onClick={() => setPreferences({ sidebar: false })}
				>
					<Icon of={PanelLeft} />
				</button>
				<a
					className="ib"
					href={hrefOf({ page: "settings", part: "general" })}
					aria-label={words.sidebar.settings}
					onClick={() => setPane("thread")}
				>
					<Icon of={Settings} />
				</a>
			</div>
			<div className="side-tools">
				<SearchField text={text} setText={(next) => searchText.set(next)} openFirst={() => setOpening(text.trim())} />
				<a
					className="btn lg new pri"
					href={hrefOf({ page: "new" })}
					aria-label={words.sidebar.fresh}
					title={withKeys(words.sidebar.fresh, "Alt+N")}
					onClick={() => setPane("thread")}
				>
					<Icon of={SquarePen} />
				</a>
				<div className="side-nav">
					<a
						className="side-now"
						href={hrefOf({ page: "home" })}
						aria-current={here.page === "home" ? "page" : undefined}
						onClick={() => setPane("thread")}
					>
						<Icon of={House} small />
						{words.sidebar.home}
						{waiting > 0 && (
							<span className="side-count" title={waitingWords(waitingOf)}>
								<span className="count">{waiting}</span>
								<span className="vh"> {words.sidebar.waiting}</span>
								<AsOf />
							</span>
						)}
					</a>
					<PlanLinks />
					<PageLink page="receipts" icon={ReceiptText} />
					<PageLink page="tools" icon={Wrench}>
						{toReview > 0 && <span className="side-count muted small">{fill(words.sidebar.toReview, { count: toReview })}</span>}
					</PageLink>
				</div>
			</div>
			<TagFilter />
			<Threads text={text} {...(opening !== undefined && { opening })} opened={opened} />
			<SideFoot />
			<SideEdge />
		</nav>
	);
}

/**
 * The number of plans that wait for the user is yellow; the number of unread messages is plain. While they may be out of date, each is
 * followed by the time at which it was last known.
 */
function PlanLinks() {
	const { needsReview = 0, needsYou = needsReview, unread = 0 } = useApp().app.plans ?? {};
	return (
		<>
			<PageLink page="plans" icon={CalendarClock}>
				{needsYou > 0 && (
					<span className="side-count">
						<span className="count">{needsYou}</span>
						<span className="vh"> {words.sidebar.waiting}</span>
						<AsOf />
					</span>
				)}
			</PageLink>
			<PageLink page="inbox" icon={Mailbox}>
				{unread > 0 && (
					<span className="side-count muted small">
						{fill(words.sidebar.unread, { count: unread })}
						<AsOf />
					</span>
				)}
			</PageLink>
		</>
	);
}

interface PageLinkProps {
	readonly page: "receipts" | "tools" | "plans" | "inbox";
	readonly icon: LucideIcon;
	readonly children?: ReactNode;
}

function PageLink({ page, icon, children }: PageLinkProps) {
	const { setPane } = useApp();
	const here = useStore(route);
	const href = hrefOf({ page });
	return (
		<a
			className="side-now"
			href={href}
			// The addresses of the pages below this one start with its address.
			aria-current={hrefOf(here).startsWith(href) ? "page" : undefined}
			onClick={() => setPane("thread")}
		>
			<Icon of={icon} small />
			{words.sidebar[page]}
			{children}
		</a>
	);
}

interface ThreadsProps {
	readonly text: string;
	readonly opening?: string;
	opened(): void;
}

function Threads({ text, opening, opened }: ThreadsProps) {
	const { app, announce } = useApp();
	const { showArchived } = useStore(preferences);
	// The groups depend on the date but not on the time of day, so they are derived again once an hour instead of every second.
	const hour = Math.floor(useClock() / HOUR_MS);
	const tag = useStore(tagFilter);
	const found = useFound(text, narrowingTag(app.threads, tag));
	// Until the search with another tag has been answered, the list shows the results that it has, as it does for another text.
	const shownTag = found === undefined ? tag : found.tag;
	const hearing = useHearing();
	const groups = useMemo(() => {
		const asked = new Set<string>(app.approvals.map(({ threadId }) => threadId));
		return groupThreads(withTag(app.threads, shownTag), asked, hour >= 0 ? Date.now() : 0, true);
	}, [app.threads, app.approvals, hour, shownTag]);
	const hits = useMemo(() => {
		if (found === undefined) return undefined;
		const excerpts = new Map<string, string>(found.threads.map(({ threadId, excerpt }) => [threadId, excerpt]));
		return groups
			.flatMap(({ threads }) => threads)
			.flatMap((listed) => {
				const excerpt = excerpts.get(listed.thread.threadId);
				return excerpt === undefined ? [] : [{ ...listed, excerpt }];
			});
	}, [found, groups]);
	const foundSay = found && hits && sayFound(found, hits.length);
	useEffect(() => {
		if (foundSay !== undefined) announce(foundSay);
	}, [foundSay, announce]);
	useEffect(() => {
		if (opening === undefined || found?.text !== opening) return;
		opened();
		const first = hits?.at(0);
		if (first === undefined) return;
		openFind(first.thread.threadId, opening);
		openToWrite(first.thread.threadId);
	}, [opening, opened, found, hits]);
	if (hits !== undefined) {
		if (hits.length === 0) return <p className="groups side-say">{foundSay}</p>;
		const { text: wanted, isFull } = found ?? { text: "", isFull: false };
		return <ThreadList groups={[{ title: words.sidebar.results, threads: hits, isFull }]} wanted={wanted} />;
	}
	if (app.threads.length === 0) return <p className="groups side-say">{words.sidebar.empty}</p>;
	const running = groups.find(({ group }) => group === "running")?.threads ?? [];
	const titles = {
		needs: words.sidebar.needs,
		pinned: words.sidebar.pinned,
		failed: words.sidebar.failed,
		running: underWayTitle(running, hearing),
		today: words.sidebar.today,
		earlier: words.sidebar.earlier,
		archived: words.sidebar.archived,
	};
	const archived = groups.find(({ group }) => group === "archived")?.threads.length ?? 0;
	const shown = groups.filter(({ group }) => group !== "archived" || showArchived);
	return (
		<>
			<ThreadList groups={shown.map(({ group, threads }) => ({ title: titles[group], threads }))} />
			{archived > 0 && (
				<button
					type="button"
					className="btn quiet side-archived"
					aria-pressed={showArchived}
					onClick={() => setPreferences({ showArchived: !showArchived })}
				>
					{showArchived ? words.sidebar.hideArchived : fill(words.sidebar.showArchived, { count: archived })}
				</button>
			)}
		</>
	);
}

function SideFoot() {
	const { app, state, link, clockAheadMs } = useApp();
	const { bridge } = app;
	const shown = bridgeState(bridge, useClock() + clockAheadMs);
	if (state !== "live")
		return (
			<div className="side-foot">
				<span className="st st-unk">
					<Icon of={Unplug} />
					{state === "gone" ? words.bridge.app : words.bridge.appConnecting}
				</span>
				<span className="grow" />
				<button type="button" className="btn quiet" onClick={link.tryNow}>
					{words.bridge.reload}
				</button>
			</div>
		);
	// While the bridge has a problem, what it last reported about the disk is out of date.
	const storage = bridge.state === "connected" && bridge.trouble === undefined ? bridge.capabilities?.storage : undefined;
	if (storage !== undefined && spaceState(storage) !== "enough") return <SpaceFoot storage={storage} />;
	return (
		<a className="side-foot" href={hrefOf({ page: "settings", part: "diagnostics" })}>
			<span className={`st ${shown.tone}`}>
				<Icon of={shown.tone === "st-ok" ? Plug : Unplug} />
				{shown.text}
			</span>
			{bridge.own && bridge.trouble === undefined && <span className="muted cut small">{words.bridge.here}</span>}
		</a>
	);
}

/** Warns that the disk is full or almost full, in a place that is always visible. */
function SpaceFoot({ storage }: { readonly storage: StorageSpace }) {
	const say = storage.freeBytes === 0 ? words.bridge.diskFull : fill(words.bridge.diskLow, { free: formatBytes(storage.freeBytes) });
	return (
		<a className="side-foot" href={hrefOf({ page: "settings", part: "diagnostics" })}>
			<span className={`st ${spaceState(storage) === "scarce" ? "st-bad" : "st-unk"}`}>
				<Icon of={HardDrive} />
				{say}
			</span>
		</a>
	);
}

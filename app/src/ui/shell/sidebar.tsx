import type { StorageSpace } from "@xworkmate/contracts";
import { HardDrive, Inbox, PanelLeft, Plug, Search, Settings, SquarePen, Unplug } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import type { FoundThread } from "../../core/ui-api.ts";
import { spaceState } from "../../doctor/space-state.ts";
import { callApp } from "../client/call-app.ts";
import { useStore } from "../client/store.ts";
import { bridgeState } from "../model/bridge-state.ts";
import { formatBinary } from "../model/format.ts";
import { asOfThread, groupThreads } from "../model/thread-state.ts";
import { BrandMark } from "../parts/brand-mark.tsx";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";
import { useApp } from "./app-context.tsx";
import { useClock } from "./now.ts";
import { preferences, setPreferences } from "./preferences.ts";
import { hrefOf, route } from "./route.ts";
import { ThreadList } from "./thread-list.tsx";
import { useHearing } from "./use-lost.ts";

const SEARCH_PAUSE_MS = 150;
const HOUR_MS = 3_600_000;

export function Sidebar() {
	const { app, setPane } = useApp();
	const here = useStore(route);
	const [text, setText] = useState("");
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
					title={`${words.sidebar.hide}  Ctrl B`}
					onClick={() => setPreferences({ sidebar: false })}
				>
					<Icon of={PanelLeft} />
				</button>
				<a
					className="ib"
					href={hrefOf({ page: "settings", part: "doctor" })}
					aria-label={words.sidebar.settings}
					onClick={() => setPane("thread")}
				>
					<Icon of={Settings} />
				</a>
			</div>
			<div className="side-tools">
				<label className="search">
					<Icon of={Search} small />
					<input
						id="search"
						type="search"
						placeholder={words.sidebar.search}
						aria-label={words.sidebar.search}
						value={text}
						onChange={(event) => setText(event.target.value)}
						onKeyDown={(event) => {
							if (event.key === "Escape") setText("");
							if (event.key === "ArrowDown") document.querySelector<HTMLElement>(".groups [data-thread]")?.focus();
						}}
					/>
					<kbd className="hide-n">/</kbd>
				</label>
				<a
					className="btn lg new pri"
					href={hrefOf({ page: "new" })}
					aria-label={words.sidebar.fresh}
					title={`${words.sidebar.fresh}  Alt N`}
					onClick={() => setPane("thread")}
				>
					<Icon of={SquarePen} />
				</a>
				<a
					className="side-now"
					href={hrefOf({ page: "now" })}
					aria-current={here.page === "now" ? "page" : undefined}
					onClick={() => setPane("thread")}
				>
					<Icon of={Inbox} small />
					{words.sidebar.now}
					{app.approvals.length > 0 && (
						<>
							<span className="count">{app.approvals.length}</span>
							<span className="vh">{words.sidebar.needYou}</span>
						</>
					)}
				</a>
			</div>
			<Threads text={text} />
			<SideFoot />
		</nav>
	);
}

function Threads({ text }: { readonly text: string }) {
	const { app } = useApp();
	const { showArchived } = useStore(preferences);
	// Groups change with the day, not with the second.
	const hour = Math.floor(useClock() / HOUR_MS);
	const found = useFound(text);
	const hearing = useHearing();
	const groups = useMemo(() => {
		const asked = new Set<string>(app.approvals.map(({ threadId }) => threadId));
		return groupThreads(app.threads, asked, hour >= 0 ? Date.now() : 0);
	}, [app.threads, app.approvals, hour]);
	const hits = useMemo(() => {
		if (found === undefined) return undefined;
		const excerpts = new Map<string, string>(found.map(({ threadId, excerpt }) => [threadId, excerpt]));
		return groups
			.flatMap(({ threads }) => threads)
			.flatMap((listed) => {
				const excerpt = excerpts.get(listed.thread.threadId);
				return excerpt === undefined ? [] : [{ ...listed, excerpt }];
			});
	}, [found, groups]);
	if (hits !== undefined) {
		if (hits.length === 0) return <p className="groups side-say">{fill(words.sidebar.nothingFound, { text })}</p>;
		return <ThreadList groups={[{ title: words.sidebar.results, threads: hits }]} />;
	}
	if (app.threads.length === 0) return <p className="groups side-say">{words.sidebar.empty}</p>;
	const running = groups.find(({ group }) => group === "running")?.threads ?? [];
	const isRunningHeard = running.some((listed) => asOfThread(listed, hearing) === undefined);
	const titles = {
		needs: words.sidebar.needs,
		running: isRunningHeard ? words.sidebar.running : words.run.lastSeen,
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

/** The app's own search, a little after the last letter; undefined = nothing is looked for. */
function useFound(text: string): readonly FoundThread[] | undefined {
	const wanted = useDeferredValue(text.trim());
	const [found, setFound] = useState<readonly FoundThread[]>();
	useEffect(() => {
		if (wanted === "") return setFound(undefined);
		let stale = false;
		const timer = setTimeout(() => {
			callApp("searchThreads", { text: wanted }).then(
				(answer) => !stale && setFound(answer),
				() => !stale && setFound([]),
			);
		}, SEARCH_PAUSE_MS);
		return () => {
			stale = true;
			clearTimeout(timer);
		};
	}, [wanted]);
	return wanted === "" ? undefined : found;
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
					{words.bridge.app}
				</span>
				<span className="grow" />
				<button type="button" className="btn quiet" onClick={link.tryNow}>
					{words.bridge.reload}
				</button>
			</div>
		);
	// What was read of the disk before the trouble is not so any more.
	const storage = bridge.state === "connected" && bridge.trouble === undefined ? bridge.capabilities?.storage : undefined;
	if (storage !== undefined && spaceState(storage) !== "enough") return <SpaceFoot storage={storage} />;
	return (
		<a className="side-foot" href={hrefOf({ page: "settings", part: "doctor" })}>
			<span className={`st ${shown.tone}`}>
				<Icon of={shown.tone === "st-ok" ? Plug : Unplug} />
				{shown.text}
			</span>
			{bridge.own && bridge.trouble === undefined && <span className="muted cut small">{words.bridge.here}</span>}
		</a>
	);
}

/** Warns before the disk is full, in the place that is always seen. */
function SpaceFoot({ storage }: { readonly storage: StorageSpace }) {
	const say = storage.freeBytes === 0 ? words.bridge.diskFull : fill(words.bridge.diskLow, { free: formatBinary(storage.freeBytes) });
	return (
		<a className="side-foot" href={hrefOf({ page: "settings", part: "doctor" })}>
			<span className={`st ${spaceState(storage) === "scarce" ? "st-bad" : "st-unk"}`}>
				<Icon of={HardDrive} />
				{say}
			</span>
		</a>
	);
}

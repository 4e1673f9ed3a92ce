import { Toast } from "@base-ui/react/toast";
import { lazy, Suspense, useEffect } from "react";
import { useStore } from "../client/store.ts";
import { visibleName } from "../model/visible-text.ts";
import { fill, words } from "../words/interface.ts";
import { useApp, useWaiting } from "./app-context.tsx";
import { ArchiveDialog } from "./archive-dialog.tsx";
import { guardAttached } from "./attachments.ts";
import { focusComposer } from "./composer-focus.ts";
import { ErrorFence } from "./error-fence.tsx";
import { useFocusKeeper } from "./focus-keeper.ts";
import { KeySheet } from "./key-sheet.tsx";
import { useKeys } from "./keys.ts";
import { NewPage } from "./new-page.tsx";
import { NoticeOffer } from "./notice-offer.tsx";
import { useNotices } from "./notices.ts";
import { NowPage } from "./now-page.tsx";
import { preferences } from "./preferences.ts";
import { type Route, route } from "./route.ts";
import { Sidebar } from "./sidebar.tsx";
import { ThreadDialogs } from "./thread-dialogs.tsx";
import { ThreadMenu } from "./thread-menu.tsx";
import { Toasts, toasts } from "./toasts.tsx";

const loadThreadPage = () => import("./thread-page.tsx");
const ThreadPage = lazy(() => loadThreadPage().then(({ ThreadPage }) => ({ default: ThreadPage })));
const SettingsPage = lazy(() => import("./settings-page.tsx"));
const LogPage = lazy(() => import("./log-page.tsx"));
const PartsPage = lazy(() => import("./parts-page.tsx"));
/** The first page is painted by then; a thread that is opened later is there at once. */
const AHEAD_MS = 1_000;

/** Sidebar and page. On a phone one of list, thread and panel shows. */
export function Frame() {
	const { app, pane, setPane } = useApp();
	const { sidebar } = useStore(preferences);
	const here = useStore(route);
	useKeys();
	useFocusKeeper();
	useEffect(() => {
		addEventListener("beforeunload", guardAttached);
		return () => removeEventListener("beforeunload", guardAttached);
	}, []);
	useNotices();
	useEffect(() => {
		// One that does not come is asked for again when a thread is opened.
		const timer = setTimeout(() => loadThreadPage().catch(() => undefined), AHEAD_MS);
		return () => clearTimeout(timer);
	}, []);
	// A phone shows one of them: what the address says is open beside the page, else the page.
	useEffect(() => setPane(hasPanel(here) ? "panel" : "thread"), [here, setPane]);
	const waiting = useWaiting();
	const title = titleOf(here, app.threads);
	useEffect(() => {
		document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title === "" ? "" : `${title} - `}${words.product}`;
	}, [waiting, title]);
	return (
		<Toast.Provider toastManager={toasts} timeout={8000} limit={3}>
			<div className="frame">
				<SkipLink here={here} />
				<div className={`app ${sidebar ? "" : "no-side"}`} data-pane={pane} id="app">
					<Sidebar />
					<ErrorFence key={JSON.stringify({ ...here, panel: undefined, line: undefined })}>
						<Suspense fallback={<main className="main" tabIndex={-1} aria-busy="true" aria-label={words.page.loading} />}>
							<Page here={here} />
						</Suspense>
					</ErrorFence>
				</div>
				<ThreadMenu />
				<ThreadDialogs />
				<ArchiveDialog />
				<KeySheet />
				<NoticeOffer />
				<Toasts />
			</div>
		</Toast.Provider>
	);
}

function hasPanel(here: Route): boolean {
	return (here.page === "thread" && here.panel !== undefined) || (here.page === "log" && here.line !== undefined);
}

/** The first stop of Tab: past a list of any length to what the page is for. */
function SkipLink({ here }: { readonly here: Route }) {
	const isForWriting = here.page === "thread" || here.page === "new";
	const skip = () => focusComposer() || document.querySelector<HTMLElement>("main")?.focus();
	return (
		<button type="button" className="btn skip" onClick={skip}>
			{isForWriting ? words.page.skipMessage : words.page.skip}
		</button>
	);
}

function Page({ here }: { readonly here: Route }) {
	switch (here.page) {
		case "now":
			return <NowPage />;
		case "new":
			return <NewPage />;
		case "thread":
			return <ThreadPage key={here.threadId} threadId={here.threadId} {...(here.panel && { panel: here.panel })} />;
		case "log":
			return (
				<LogPage key={here.turnId} threadId={here.threadId} turnId={here.turnId} {...(here.line !== undefined && { line: here.line })} />
			);
		case "settings":
			return <SettingsPage part={here.part} />;
		case "parts":
			return <PartsPage />;
	}
}

function titleOf(here: Route, threads: ReturnType<typeof useApp>["app"]["threads"]): string {
	if (here.page === "thread" || here.page === "log")
		return visibleName(threads.find(({ threadId }) => threadId === here.threadId)?.title ?? "");
	if (here.page === "settings") return words.settings.title;
	return fill(here.page === "new" ? words.sidebar.fresh : words.home.title, {});
}

import { Toast } from "@base-ui/react/toast";
import { lazy, type ReactElement, Suspense, useEffect } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { fill, words } from "../strings/interface.ts";
import { guardAttached } from "./composer/attachments.ts";
import { useStore } from "./connection/store.ts";
import { useFocusKeeper } from "./focus-keeper.ts";
import { KeySheet } from "./keys/key-sheet.tsx";
import { useKeys } from "./keys/keys.ts";
import { NoticeOffer } from "./notices/notice-offer.tsx";
import { useNotices } from "./notices/notices.ts";
import { PageFault } from "./page-fault.tsx";
import { HomePage } from "./pages/home-page.tsx";
import { NewThreadPage } from "./pages/new-thread-page.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { ThreadDialogs } from "./sidebar/thread-dialogs.tsx";
import { ThreadMenu } from "./sidebar/thread-menu.tsx";
import { useApp, useWaiting } from "./state/app-context.tsx";
import { focusComposer } from "./state/composer-focus.ts";
import { preferences } from "./state/preferences.ts";
import { type Route, route } from "./state/route.ts";
import { Toasts, toasts } from "./state/toasts.tsx";
import { visibleName } from "./text/visible-text.ts";

const loadThreadPage = () => import("./pages/thread-page.tsx");
const ThreadPage = lazy(() => loadThreadPage().then(({ ThreadPage }) => ({ default: ThreadPage })));
const SettingsPage = lazy(() => import("./settings/settings-page.tsx"));
const LogPage = lazy(() => import("./run-log/log-page.tsx"));
/** Delay before the thread page is loaded in advance: after the first paint, and before the user opens a thread. */
const AHEAD_MS = 1_000;

/** Sidebar and page. A phone shows one of list, thread and panel. */
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
		// If preloading fails, the page is requested again when a thread is opened.
		const timer = setTimeout(() => loadThreadPage().catch(() => undefined), AHEAD_MS);
		return () => clearTimeout(timer);
	}, []);
	// A phone shows one of the two: the side panel if the address names one, otherwise the page.
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
					<ErrorBoundary key={JSON.stringify({ ...here, panel: undefined, line: undefined })} FallbackComponent={PageFault}>
						<Suspense fallback={<main className="main" tabIndex={-1} aria-busy="true" aria-label={words.page.loading} />}>
							<Page here={here} />
						</Suspense>
					</ErrorBoundary>
				</div>
				<ThreadMenu />
				<ThreadDialogs />
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

/** The first Tab stop skips the list, whatever its length, and leads to the page's main element. */
function SkipLink({ here }: { readonly here: Route }) {
	const isForWriting = here.page === "thread" || here.page === "new";
	const skip = () => focusComposer() || document.querySelector<HTMLElement>("main")?.focus();
	return (
		<button type="button" className="btn skip" onClick={skip}>
			{isForWriting ? words.page.skipMessage : words.page.skip}
		</button>
	);
}

function Page({ here }: { readonly here: Route }): ReactElement {
	switch (here.page) {
		case "home":
			return <HomePage />;
		case "new":
			return <NewThreadPage />;
		case "thread":
			return <ThreadPage key={here.threadId} threadId={here.threadId} {...(here.panel && { panel: here.panel })} />;
		case "log":
			return (
				<LogPage key={here.turnId} threadId={here.threadId} turnId={here.turnId} {...(here.line !== undefined && { line: here.line })} />
			);
		case "settings":
			return <SettingsPage part={here.part} />;
	}
}

function titleOf(here: Route, threads: ReturnType<typeof useApp>["app"]["threads"]): string {
	switch (here.page) {
		case "home":
			return fill(words.home.title, {});
		case "new":
			return fill(words.sidebar.fresh, {});
		case "thread":
		case "log":
			return visibleName(threads.find(({ threadId }) => threadId === here.threadId)?.title ?? "");
		case "settings":
			return words.settings.title;
	}
}

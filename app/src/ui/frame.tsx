import { type ReactElement, Suspense, useEffect, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { fill, words } from "../strings/interface.ts";
import { guardAttached } from "./composer/attachments.ts";
import { useStore } from "./connection/store.ts";
import { useFocusKeeper } from "./focus-keeper.ts";
import { useKeys } from "./keys/keys.ts";
import { useConnectionNotices } from "./notices/connection-notices.ts";
import { NoticeOffer } from "./notices/notice-offer.tsx";
import { useNotices } from "./notices/notices.ts";
import { forgetFailure, OnDemand } from "./on-demand/on-demand.ts";
import { PageLoading } from "./on-demand/page-loading.tsx";
import { OverlaysOnDemand, overlays } from "./overlays/overlays-on-demand.tsx";
import { PageFault } from "./page-fault.tsx";
import { HomePage } from "./pages/home-page.tsx";
import { markdown } from "./rich-text/message-text.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { useApp } from "./state/app-context.tsx";
import { focusComposer } from "./state/composer-focus.ts";
import { preferences } from "./state/preferences.ts";
import { type Route, route } from "./state/route.ts";
import { useWaitingNow } from "./state/use-waiting-now.ts";
import { visibleName } from "./text/visible-text.ts";

const newThread = new OnDemand(() => import("./pages/new-thread-page.tsx").then(({ NewThreadPage }) => NewThreadPage));
const thread = new OnDemand(() => import("./pages/thread-page.tsx").then(({ ThreadPage }) => ThreadPage));
const settings = new OnDemand(() => import("./settings/settings-page.tsx").then((module) => module.default));
const log = new OnDemand(() => import("./run-log/log-page.tsx").then((module) => module.default));
const edits = new OnDemand(() => import("./edits/edits-page.tsx").then((module) => module.default));
const receipts = new OnDemand(() => import("./receipts/receipts-page.tsx").then((module) => module.default));
const plans = new OnDemand(() => import("./plans/plans-page.tsx").then((module) => module.default));
const plan = new OnDemand(() => import("./plan/plan-page.tsx").then((module) => module.default));
const newPlan = new OnDemand(() => import("./new-plan/new-plan-page.tsx").then((module) => module.default));
const editPlan = new OnDemand(() => import("./new-plan/edit-plan-page.tsx").then((module) => module.default));
const planLog = new OnDemand(() => import("./plan-log/plan-log-page.tsx").then((module) => module.default));
const review = new OnDemand(() => import("./review/review-page.tsx").then((module) => module.default));
const inbox = new OnDemand(() => import("./inbox/inbox-page.tsx").then((module) => module.default));
const tools = new OnDemand(() => import("./tools/tools-page.tsx").then((module) => module.default));
/** In the order in which they are loaded ahead of time. */
const parts = [newThread, thread, markdown, settings, plans, plan, review, newPlan, editPlan, planLog, inbox, log, edits, receipts, tools];
/** A constant, so that every rendering gets the same object. */
const noFilter = {};
/** How long after the first rendering the parts are loaded: after the first paint, but usually before the user opens any of them. */
const AHEAD_MS = 1_000;

/** The sidebar and the page. A phone shows only the list, the thread or the panel. */
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
	useConnectionNotices();
	const isAhead = usePartsAhead();
	// A phone shows either the page or the side panel: the panel if the address names one.
	useEffect(() => setPane(hasPanel(here) ? "panel" : "thread"), [here, setPane]);
	// The title is all that the user sees of a page in the background, so a number that may be out of date is left out.
	const waiting = useWaitingNow();
	const title = titleOf(here, app.threads);
	useEffect(() => {
		document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title === "" ? "" : `${title} - `}${words.product}`;
	}, [waiting, title]);
	return (
		<div className="frame">
			<SkipLink here={here} />
			<div className={`app ${sidebar ? "" : "no-side"}`} data-pane={pane} id="app">
				<Sidebar />
				<ErrorBoundary
					key={JSON.stringify({ ...here, panel: undefined, line: undefined, filter: undefined, call: undefined, history: undefined })}
					FallbackComponent={PageFault}
					onError={forgetFailure}
				>
					<Suspense fallback={<PageLoading />}>
						<Page here={here} />
					</Suspense>
				</ErrorBoundary>
			</div>
			<NoticeOffer />
			<OverlaysOnDemand isAhead={isAhead} />
		</div>
	);
}

/** Loads the other parts of the page while the user looks at the first one. Returns true once the overlays are loaded. */
function usePartsAhead(): boolean {
	const [isAhead, setAhead] = useState(false);
	useEffect(() => {
		const load = async () => {
			await overlays.preload();
			setAhead(true);
			for (const part of parts) await part.preload();
		};
		// A part that could not be loaded ahead of time is loaded when it is opened.
		const timer = setTimeout(() => load().catch(() => undefined), AHEAD_MS);
		return () => clearTimeout(timer);
	}, []);
	return isAhead;
}

function hasPanel(here: Route): boolean {
	return (
		(here.page === "thread" && here.panel !== undefined) ||
		(here.page === "log" && here.line !== undefined) ||
		(here.page === "receipts" && here.call !== undefined) ||
		(here.page === "plan" && here.history === true)
	);
}

/** The first Tab stop skips the list, however long it is. It leads to the message field or, on a page without one, to the main element. */
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
			return <newThread.Part {...(here.from && { from: here.from })} />;
		case "thread":
			return <thread.Part key={here.threadId} threadId={here.threadId} {...(here.panel && { panel: here.panel })} />;
		case "log":
			return (
				<log.Part key={here.turnId} threadId={here.threadId} turnId={here.turnId} {...(here.line !== undefined && { line: here.line })} />
			);
		case "changes":
			return (
				<edits.Part
					key={`${here.threadId} ${here.runId ?? ""}`}
					threadId={here.threadId}
					{...(here.runId !== undefined && { runId: here.runId })}
				/>
			);
		case "settings":
			return <settings.Part part={here.part} />;
		case "receipts":
			return <receipts.Part filter={here.filter ?? noFilter} {...(here.call !== undefined && { call: here.call })} />;
		case "tools":
			return <tools.Part {...(here.review !== undefined && { review: here.review })} />;
		case "plans":
			return <plans.Part />;
		case "new-plan":
			return <newPlan.Part />;
		case "edit-plan":
			return <editPlan.Part key={here.planId} planId={here.planId} />;
		case "plan-log":
			return <planLog.Part key={here.planId} planId={here.planId} />;
		case "plan":
			return <plan.Part key={here.planId} planId={here.planId} hasHistory={here.history === true} {...occurrenceOf(here)} />;
		case "review":
			return <review.Part key={here.occurrenceId} {...here} />;
		case "inbox":
			return <inbox.Part {...(here.messageId !== undefined && { messageId: here.messageId })} />;
	}
}

function occurrenceOf({ occurrenceId }: Extract<Route, { page: "plan" }>) {
	return occurrenceId === undefined ? {} : { occurrenceId };
}

function titleOf(here: Route, threads: ReturnType<typeof useApp>["app"]["threads"]): string {
	switch (here.page) {
		case "home":
			return fill(words.home.title, {});
		case "new":
			return fill(words.sidebar.fresh, {});
		case "thread":
		case "log":
		case "changes":
			return visibleName(threads.find(({ threadId }) => threadId === here.threadId)?.title ?? "");
		case "settings":
			return words.sidebar.settings;
		case "receipts":
			return words.sidebar.receipts;
		case "tools":
			return words.sidebar.tools;
		case "plans":
		case "plan":
		case "new-plan":
		case "edit-plan":
		case "plan-log":
		case "review":
			return words.sidebar.plans;
		case "inbox":
			return words.sidebar.inbox;
	}
}

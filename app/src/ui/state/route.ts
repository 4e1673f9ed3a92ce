import type { RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { Store } from "../connection/store.ts";

/** One file of one run, for the preview. */
export interface OpenFile {
	readonly runId: string;
	readonly relativePath: string;
}

/** The panel beside a thread: its files, with the one that is open. */
export interface OpenPanel {
	readonly file?: OpenFile;
}

/** The current page. It is stored in the fragment of the address, which is never sent to a server. */
export type Route =
	| { readonly page: "home" }
	/** A new thread. `from`: it continues another one, up to and including a turn. */
	| { readonly page: "new"; readonly from?: { readonly threadId: ThreadId; readonly turnId: TurnId } }
	| { readonly page: "thread"; readonly threadId: ThreadId; readonly panel?: OpenPanel }
	| { readonly page: "log"; readonly threadId: ThreadId; readonly turnId: TurnId; readonly line?: number }
	/** What a thread changed in a git repository, in total or in one run. */
	| { readonly page: "changes"; readonly threadId: ThreadId; readonly runId?: RunId }
	| { readonly page: "settings"; readonly part: string }
	/** All receipts, or those that match a filter. `call`: a receipt of the call that is open beside them. */
	| { readonly page: "receipts"; readonly filter?: ReceiptFilter; readonly call?: string }
	/** All tools, or the review of one integration. */
	| { readonly page: "tools"; readonly review?: string }
	| { readonly page: "plans" }
	| { readonly page: "new-plan" }
	| { readonly page: "edit-plan"; readonly planId: string }
	/** What happened to a plan, shown in lanes. */
	| { readonly page: "plan-log"; readonly planId: string }
	/** A plan and one of its occurrences, by default the newest. `history`: the list of all its occurrences is open beside it. */
	| { readonly page: "plan"; readonly planId: string; readonly occurrenceId?: string; readonly history?: true }
	/** What would be sent, or was sent. `actionId`: the message that is shown. */
	| { readonly page: "review"; readonly planId: string; readonly occurrenceId: string; readonly actionId?: string }
	/** The inbox or, with an id, one of its messages. */
	| { readonly page: "inbox"; readonly messageId?: string };

/** The filter of the receipts page. Its values come from the URL and aren't trusted: they are only compared, or the app checks them. */
export interface ReceiptFilter {
	readonly origin?: string;
	readonly toolId?: string;
	readonly type?: string;
	readonly threadId?: string;
	readonly runId?: string;
	readonly planId?: string;
	/** The number of days for which receipts are shown. */
	readonly days?: string;
}

const filterNames = ["origin", "toolId", "type", "threadId", "runId", "planId", "days"] as const;

export const route = new Store<Route>(parseRoute(location.hash));
addEventListener("hashchange", () => route.set(parseRoute(location.hash)));

export function parseRoute(hash: string): Route {
	const [path = "", beside] = hash.replace(/^#\/?/, "").split("?", 2);
	const [page, first, second, third, fourth] = path.split("/").map(decode);
	if (page === "new") return { page, ...parseFrom(beside) };
	if (page === "settings") return { page, part: first ?? "general" };
	if (page === "changes" && first) return { page, threadId: first as ThreadId, ...(second && { runId: second as RunId }) };
	if (page === "receipts") return { page, ...parseReceipts(beside) };
	if (page === "tools") return { page, ...(first && { review: first }) };
	if (page === "plans") return parsePlans(beside, first, second, third, fourth);
	if (page === "inbox") return { page, ...(first && { messageId: first }) };
	if (page === "t" && first && second) return { page: "log", threadId: first as ThreadId, turnId: second as TurnId, ...parseLine(beside) };
	if (page === "t" && first) return { page: "thread", threadId: first as ThreadId, ...parsePanel(beside) };
	return { page: "home" };
}

export function hrefOf(to: Route): string {
	switch (to.page) {
		case "home":
			return "#/";
		case "new":
			return to.from === undefined ? "#/new" : `#/new?from=${encodeURIComponent(to.from.threadId)}/${encodeURIComponent(to.from.turnId)}`;
		case "settings":
			return `#/settings/${to.part}`;
		case "changes":
			return `#/changes/${encodeURIComponent(to.threadId)}${to.runId === undefined ? "" : `/${encodeURIComponent(to.runId)}`}`;
		case "receipts":
			return `#/receipts${receiptsBeside(to)}`;
		case "tools":
			return to.review === undefined ? "#/tools" : `#/tools/${encodeURIComponent(to.review)}`;
		case "plans":
			return "#/plans";
		case "new-plan":
			return "#/plans/new";
		case "edit-plan":
			return `${planHref(to.planId, undefined)}?edit`;
		case "plan-log":
			return `${planHref(to.planId, undefined)}?log`;
		case "plan":
			return `${planHref(to.planId, to.occurrenceId)}${to.history ? "?history" : ""}`;
		case "review":
			return `${planHref(to.planId, to.occurrenceId)}/review${to.actionId === undefined ? "" : `/${encodeURIComponent(to.actionId)}`}`;
		case "inbox":
			return to.messageId === undefined ? "#/inbox" : `#/inbox/${encodeURIComponent(to.messageId)}`;
		case "thread":
			return `#/t/${encodeURIComponent(to.threadId)}${to.panel === undefined ? "" : `?${besideOf(to.panel)}`}`;
		case "log":
			return `#/t/${encodeURIComponent(to.threadId)}/${encodeURIComponent(to.turnId)}${to.line === undefined ? "" : `?line=${to.line}`}`;
	}
}

/** The thread that a page is about; undefined for a page that is not about one. */
export function threadOf(here: Route): ThreadId | undefined {
	return "threadId" in here ? here.threadId : undefined;
}

export function go(to: Route): void {
	location.hash = hrefOf(to);
}

/** Like `go`, but without adding an entry to the history. */
export function stay(to: Route): void {
	history.replaceState(history.state, "", hrefOf(to));
	route.set(to);
}

function planHref(planId: string, occurrenceId: string | undefined): string {
	return `#/plans/${encodeURIComponent(planId)}${occurrenceId === undefined ? "" : `/${encodeURIComponent(occurrenceId)}`}`;
}

/**
 * `plans`, `plans/new`, `plans/<plan>?edit`, `plans/<plan>?log`, `plans/<plan>` or `plans/<plan>/<occurrence>`, either with `?history`, and
 * `plans/<plan>/<occurrence>/review` or `plans/<plan>/<occurrence>/review/<action>`.
 */
function parsePlans(beside: string | undefined, planId?: string, occurrenceId?: string, view?: string, actionId?: string): Route {
	if (!planId) return { page: "plans" };
	if (planId === "new") return { page: "new-plan" };
	if (beside === "edit") return { page: "edit-plan", planId };
	if (beside === "log") return { page: "plan-log", planId };
	if (occurrenceId && view === "review") return { page: "review", planId, occurrenceId, ...(actionId && { actionId }) };
	return { page: "plan", planId, ...(occurrenceId && { occurrenceId }), ...(beside === "history" && { history: true }) };
}

/** `from=<thread>/<turn>`. Both are only compared with what the app has. */
function parseFrom(beside: string | undefined): Pick<Extract<Route, { page: "new" }>, "from"> {
	const [word, ids] = (beside ?? "").split("=", 2);
	const [threadId, turnId] = (ids ?? "").split("/").map(decode);
	return word === "from" && threadId && turnId ? { from: { threadId: threadId as ThreadId, turnId: turnId as TurnId } } : {};
}

/** The event that is open in a run log. */
function parseLine(beside: string | undefined): { readonly line?: number } {
	const digits = /^line=(\d{1,9})$/.exec(beside ?? "")?.[1];
	return digits === undefined ? {} : { line: Number(digits) };
}

/** `files`, or `files=<run>/<path>`. Both parts are only compared with what the app lists. */
function parsePanel(beside: string | undefined): { readonly panel?: OpenPanel } {
	const [word, file] = (beside ?? "").split("=", 2);
	if (word !== "files") return {};
	const [runId, relativePath] = (file ?? "").split("/").map(decode);
	return { panel: runId && relativePath ? { file: { runId, relativePath } } : {} };
}

function parseReceipts(beside: string | undefined): { readonly filter?: ReceiptFilter; readonly call?: string } {
	const given = new URLSearchParams(beside ?? "");
	const call = given.get("call");
	const filter = Object.fromEntries(filterNames.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : [])));
	return { ...(Object.keys(filter).length > 0 && { filter }), ...(call && { call }) };
}

function receiptsBeside({ filter = {}, call }: Extract<Route, { page: "receipts" }>): string {
	const given = new URLSearchParams(filterNames.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])));
	if (call !== undefined) given.set("call", call);
	return given.size === 0 ? "" : `?${given}`;
}

function besideOf({ file }: OpenPanel): string {
	return file === undefined ? "files" : `files=${encodeURIComponent(file.runId)}/${encodeURIComponent(file.relativePath)}`;
}

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return "";
	}
}

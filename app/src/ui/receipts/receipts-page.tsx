import type { PlanId, ReceiptType, TaskSummary } from "@xworkmate/contracts";
import { Download, ShieldCheck, X } from "lucide-react";
import { type ReactElement, useCallback, useMemo, useRef } from "react";
import { receiptsExportRoute } from "../../api/ui-routes.ts";
import { receiptWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { receiptsPageWords as words } from "../../strings/receipts/receipts-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { useRequest } from "../keys/keys.ts";
import { AsOfLine } from "../plans/as-of-line.tsx";
import { ReadAsOf, usePlanRead } from "../plans/use-plans.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { go, hrefOf, type ReceiptFilter, stay } from "../state/route.ts";
import { visibleName } from "../text/visible-text.ts";
import { CallPanel } from "./call-panel.tsx";
import { ProofBar } from "./proof-bar.tsx";
import { groupReceipts } from "./receipt-groups.ts";
import { ReceiptList } from "./receipt-list.tsx";
import { useReceipts } from "./use-receipts.ts";
import { verification, verify } from "./verification.ts";

const LISTED_TASKS = 200;
const LISTED_PLANS = 200;
const LISTED_THREADS = 200;

interface ReceiptsPageProps {
	readonly filter: ReceiptFilter;
	/** A receipt of the call that is open beside the list. */
	readonly call?: string;
}

/** Every tool call of every run and every message of a plan: who allowed it, how it ended, and whether the receipts are intact. */
export default function ReceiptsPage({ filter, call }: ReceiptsPageProps) {
	const scroll = useRef<HTMLDivElement>(null);
	const listed = useReceipts(filter, () => isAtRest(scroll.current));
	const { receipts, trails, nextCursor, problem, asOf, hasNewer, isReading, read, readMore } = listed;
	const { verified, isRunning } = useStore(verification);
	const { tasks, titleOf, whereOf, agentOf } = useRuns();
	const runs = useMemo(() => groupReceipts(receipts ?? [], trails), [receipts, trails]);
	const planId = filter.planId as PlanId | undefined;
	const isFiltered = Object.keys(filter).length > 0;
	const showNewer = () => {
		listed.showNewer();
		scroll.current?.scrollTo({ top: 0 });
	};
	const open = (receiptId: string) => {
		const to = { page: "receipts", filter, call: receiptId } as const;
		if (call === undefined) go(to);
		else stay(to);
	};
	const close = useCallback(() => {
		if (call === undefined) return false;
		go({ page: "receipts", filter });
		requestAnimationFrame(() => document.querySelector<HTMLElement>(".rc.was-open, .rc")?.focus({ preventScroll: true }));
		return true;
	}, [call, filter]);
	useRequest("close", close);
	return (
		<>
			<main className="main" tabIndex={-1}>
				<PageBar title={words.title} say={words.lead}>
					<a className="btn" href={receiptsExportRoute(filter)} download>
						<Icon of={Download} />
						<span className="vh-n">
							{planId !== undefined ? words.exportPlan : filter.runId !== undefined ? words.exportRun : words.exportAll}
						</span>
					</a>
					<button type="button" className="btn pri" disabled={isRunning === true} onClick={() => void verify(undefined, planId)}>
						<Icon of={ShieldCheck} />
						{planId === undefined ? words.verify : words.verifyPlan}
					</button>
				</PageBar>
				<Filters filter={filter} toolIds={(receipts ?? []).flatMap(({ toolId }) => (toolId === undefined ? [] : [toolId]))} />
				{receipts !== undefined && (
					<ReadAsOf value={asOf}>
						<AsOfLine />
					</ReadAsOf>
				)}
				<div className="scroll" ref={scroll} aria-busy={isReading}>
					{hasNewer && (
						<p className="newer">
							<button type="button" className="btn" onClick={showNewer}>
								{words.newer}
							</button>
						</p>
					)}
					<ProofBar titleOf={titleOf} />
					<ReadState isRead={receipts !== undefined} {...{ problem, words, read }} />
					{receipts?.length === 0 && <Empty isFiltered={isFiltered} />}
					<ReceiptList {...{ runs, tasks, verified, whereOf, agentOf, open, call }} byType={filter.type !== undefined} />
					{nextCursor !== undefined && problem === undefined && (
						<p className="more-above">
							<button type="button" className="btn" disabled={isReading} onClick={readMore}>
								{words.more}
							</button>
						</p>
					)}
				</div>
			</main>
			{call !== undefined && <CallPanel call={call} whereOf={whereOf} close={close} />}
		</>
	);
}

/** True if the user is at the top of the list and not on one of its rows, so that moving the rows disturbs nothing. */
function isAtRest(scroll: HTMLElement | null): boolean {
	return scroll !== null && scroll.scrollTop <= 0 && scroll.querySelector(".rc:is(:hover, :focus)") === null;
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
	return (
		<div className="empty">
			<b>{isFiltered ? words.noneMatch : words.empty}</b>
			{isFiltered ? (
				<a className="btn" href={hrefOf({ page: "receipts" })}>
					{words.clear}
				</a>
			) : (
				<p>{words.emptySay}</p>
			)}
		</div>
	);
}

const askTasks = () => callApp("tasks", { limit: LISTED_TASKS });
const askPlans = () => callApp("listPlans", { limit: LISTED_PLANS });

/** What the app knows about the runs and plans that receipts name: their threads, agents and titles. */
function useRuns() {
	const { app } = useApp();
	const providers = useProviders();
	const { value: answer } = usePlanRead(askTasks, undefined, [app.threads]);
	const { value: planned } = usePlanRead(askPlans);
	return useMemo(() => {
		const plans = new Map<string, string>((planned?.items ?? []).map(({ planId, title }) => [planId, title]));
		const tasks: ReadonlyMap<string, TaskSummary> = new Map((answer?.items ?? []).map((task) => [task.runId, task]));
		const threadOf = (runId: string) => {
			const task = tasks.get(runId);
			return task && app.threads.find(({ threadId }) => threadId === task.threadId);
		};
		const titleOf = (id: string, isPlan: boolean) => {
			const title = isPlan ? plans.get(id) : threadOf(id)?.title;
			return visibleName(title ?? fill(isPlan ? words.plan : words.run, { id }));
		};
		const whereOf = (runId: string, isPlan: boolean) => {
			if (isPlan)
				return (
					<a className="nm" href={hrefOf({ page: "plan", planId: runId })}>
						{titleOf(runId, true)}
					</a>
				);
			const thread = threadOf(runId);
			if (thread === undefined) return <span className="nm wrap">{titleOf(runId, false)}</span>;
			return (
				<a className="nm" href={hrefOf({ page: "thread", threadId: thread.threadId })}>
					{titleOf(runId, false)}
				</a>
			);
		};
		const agentOf = (runId: string) => {
			const providerId = tasks.get(runId)?.provider.providerId;
			return providers.find((provider) => provider.providerId === providerId)?.label ?? providerId ?? "";
		};
		return { tasks, titleOf, whereOf, agentOf };
	}, [answer, planned, app.threads, providers]);
}

function Filters({ filter, toolIds }: { readonly filter: ReceiptFilter; readonly toolIds: readonly string[] }) {
	const { app } = useApp();
	// All changes to the filter share one history entry, so Back leaves the page.
	const set = (name: keyof ReceiptFilter, value: string) => {
		const { [name]: _, ...rest } = filter;
		stay({ page: "receipts", filter: value === "" ? rest : { ...rest, [name]: value } });
	};
	const origin = (value: string, text: string) => (
		<button type="button" aria-pressed={(filter.origin ?? "") === value} onClick={() => set("origin", value)}>
			{text}
		</button>
	);
	const select = (
		name: keyof ReceiptFilter,
		label: string,
		any: string,
		options: readonly (readonly [string, string])[],
		/** The heading above the options, for a menu that does not list every possible value. */
		group?: string,
	) => (
		<select
			className={`sel ${filter[name] === undefined ? "" : "is-set"}`}
			aria-label={label}
			value={filter[name] ?? ""}
			onChange={(event) => set(name, event.target.value)}
		>
			<option value="">{any}</option>
			{grouped(
				group,
				withChosen(options, filter[name]).map(([value, text]) => (
					<option key={value} value={value}>
						{text}
					</option>
				)),
			)}
		</select>
	);
	const types = Object.keys(receiptWords) as readonly ReceiptType[];
	return (
		<section className="filters" aria-label={words.filters}>
			<fieldset className="seg" aria-label={words.origin}>
				{origin("", words.all)}
				{origin("executed", words.executed)}
				{origin("reported", words.reported)}
			</fieldset>
			{select(
				"toolId",
				words.tool,
				words.anyTool,
				[...new Set(toolIds)].sort().map((id) => [id, visibleName(id)]),
				words.listedTools,
			)}
			{select(
				"type",
				words.event,
				words.anyEvent,
				types.map((type) => [type, receiptWords[type]]),
			)}
			{select(
				"threadId",
				words.thread,
				words.anyThread,
				app.threads.slice(0, LISTED_THREADS).map(({ threadId, title }) => [threadId, visibleName(title)]),
			)}
			{select("days", words.time, words.anyTime, [
				["1", words.day],
				["7", words.week],
				["30", words.month],
			])}
			{filter.runId !== undefined && (
				<button type="button" className="btn" onClick={() => set("runId", "")} aria-label={`${words.clear}: ${words.oneRun}`}>
					{words.oneRun}
					<Icon of={X} small />
				</button>
			)}
			{filter.planId !== undefined && (
				<button type="button" className="btn" onClick={() => set("planId", "")} aria-label={`${words.clear}: ${words.onePlan}`}>
					{words.onePlan}
					<Icon of={X} small />
				</button>
			)}
			{Object.keys(filter).length > 0 && (
				<button type="button" className="btn quiet" onClick={() => stay({ page: "receipts" })}>
					{words.clear}
				</button>
			)}
		</section>
	);
}

function grouped(label: string | undefined, options: readonly ReactElement[]) {
	return label === undefined || options.length === 0 ? options : <optgroup label={label}>{options}</optgroup>;
}

/** The options and, if it is not among them, the chosen value, which may come from the address. */
function withChosen(options: readonly (readonly [string, string])[], chosen: string | undefined): readonly (readonly [string, string])[] {
	const isListed = chosen === undefined || options.some(([value]) => value === chosen);
	return isListed ? options : [...options, [chosen, visibleName(chosen)]];
}

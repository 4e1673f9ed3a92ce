import type { ThreadId, TurnId } from "@xworkmate/contracts";
import { Download, RotateCcw, TriangleAlert } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { RunLog, RunLogEntry } from "../../api/ui-api.ts";
import { runLogRoute } from "../../api/ui-routes.ts";
import { fill, words } from "../../strings/interface.ts";
import { logPageWords } from "../../strings/runs/log-page-words.ts";
import { AppSilentLine } from "../components/app-silent-line.tsx";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { RunPhases } from "../run/run-phases.tsx";
import { useApp, useProviderName } from "../state/app-context.tsx";
import { go, hrefOf, stay } from "../state/route.ts";
import { formatSpan } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { runPhases } from "../turn/run-phases.ts";
import { LogDetail } from "./log-detail.tsx";
import { LOG_LIST_ID, LogLines } from "./log-lines.tsx";
import { formatNumber, isProblem, type LogShow, lanesOf, selectLines } from "./run-log-lines.ts";

interface LogPageProps {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	/** The event that is open beside the list. */
	readonly line?: number;
}

const noEntries: readonly RunLogEntry[] = [];

/** The events of one run in chronological order: who sent what to whom. */
export default function LogPage({ threadId, turnId, line }: LogPageProps) {
	const { app } = useApp();
	const thread = app.threads.find((one) => one.threadId === threadId);
	const { log, problem, read } = useRunLog(threadId, turnId, thread);
	const [show, setShow] = useState<LogShow>("all");
	const [marked, setMarked] = useState<number>();
	const agent = useProviderName(log?.providerId);
	const entries = log?.entries ?? noEntries;
	const begin = entries[0]?.at ?? "";
	const chosen = line ?? marked;
	const open = line === undefined ? undefined : entries[line];
	const here = { page: "log", threadId, turnId } as const;
	const choose = (index: number) => {
		setMarked(index);
		// The open event follows the selection. Back leads to the list, not through every line.
		if (line !== undefined) stay({ ...here, line: index });
	};
	const openLine = (index: number) => {
		setMarked(index);
		if (line === undefined) go({ ...here, line: index });
		else stay({ ...here, line: index });
	};
	const close = () => {
		if (line === undefined) return;
		go(here);
		requestAnimationFrame(() => document.getElementById(LOG_LIST_ID)?.focus({ preventScroll: true }));
	};
	return (
		<>
			<main className="main" tabIndex={-1}>
				<PageBar
					title={visibleName(thread?.title ?? logPageWords.title)}
					back={{ href: hrefOf({ page: "thread", threadId }), label: logPageWords.close }}
				>
					<button type="button" className="ib" onClick={read} aria-label={logPageWords.refresh} title={logPageWords.refresh}>
						<Icon of={RotateCcw} />
					</button>
					<a className="btn" href={runLogRoute(threadId, turnId)} download>
						<Icon of={Download} />
						<span className="vh-n">{logPageWords.export}</span>
					</a>
				</PageBar>
				<LogHead entries={entries} show={show} setShow={setShow} />
				{problem !== undefined && <p className="opt-say st st-bad wrap">{problem}</p>}
				{log?.more === true && <p className="opt-say muted">{logPageWords.more}</p>}
				<LogLines
					lines={selectLines(entries, show)}
					lanes={lanesOf(entries)}
					agent={agent}
					begin={begin}
					{...(chosen !== undefined && { chosen })}
					empty={log === undefined ? words.page.loading : entries.length === 0 ? logPageWords.empty : logPageWords.noMatch}
					choose={choose}
					open={openLine}
					close={close}
				/>
			</main>
			{open !== undefined && <LogDetail entry={open} agent={agent} begin={begin} close={close} />}
		</>
	);
}

/** The lines that say how a turn ended. */
const ends: ReadonlySet<string> = new Set(["ended", "unsent", "cancelled", "interrupted"]);

interface LogHeadProps {
	readonly entries: readonly RunLogEntry[];
	readonly show: LogShow;
	setShow(show: LogShow): void;
}

function LogHead({ entries, show, setShow }: LogHeadProps) {
	const first = entries[0];
	const last = entries.at(-1);
	const problems = entries.filter(isProblem).length;
	const isOver = entries.some(({ what }) => ends.has(what));
	const choice = (value: LogShow, text: string) => (
		<button type="button" aria-pressed={show === value} onClick={() => setShow(value)}>
			{value === "problems" && <Icon of={TriangleAlert} small />}
			{text}
		</button>
	);
	return (
		<div className="log-head">
			<h2 className="strong">{logPageWords.title}</h2>
			<span className="num soft">
				{first !== undefined &&
					last !== undefined &&
					fill(isOver ? logPageWords.total : logPageWords.soFar, { time: formatSpan(Date.parse(last.at) - Date.parse(first.at)) })}
			</span>
			<span className="grow" />
			<fieldset className="seg" aria-label={logPageWords.show}>
				{choice("all", fill(logPageWords.all, { count: formatNumber(entries.length) }))}
				{choice("handoffs", logPageWords.handoffs)}
				{choice("tools", logPageWords.tools)}
				{choice("problems", fill(logPageWords.problems, { count: problems }))}
			</fieldset>
			<AppSilentLine />
			<RunPhases phases={runPhases(entries)} />
		</div>
	);
}

/** Reads the log at once, and again whenever its thread changes. Changes during a read cause one more read. */
function useRunLog(threadId: ThreadId, turnId: TurnId, changed: unknown) {
	const [log, setLog] = useState<RunLog>();
	const [problem, setProblem] = useState<string>();
	const reading = useRef<"no" | "once" | "again">("no");
	const read = useCallback(() => {
		if (reading.current !== "no") {
			reading.current = "again";
			return;
		}
		const ask = async (): Promise<void> => {
			reading.current = "once";
			try {
				setLog(await callApp("runLog", { threadId, turnId }));
				setProblem(undefined);
			} catch (error) {
				setProblem(sayError(error));
			}
			if (isAskedAgain(reading.current)) await ask();
			reading.current = "no";
		};
		void ask();
	}, [threadId, turnId]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the log is read again whenever its thread changes
	useEffect(read, [read, changed]);
	return { log, problem, read };
}

/** True if the log may have changed while it was being read. */
function isAskedAgain(reading: string): boolean {
	return reading === "again";
}

import { useVirtualizer } from "@tanstack/react-virtual";
import type { ThreadId, TurnId } from "@xworkmate/contracts";
import { ArrowLeft, Download, RotateCcw, TriangleAlert } from "lucide-react";
import { type CSSProperties, useCallback, useEffect, useRef, useState } from "react";
import type { RunLog, RunLogEntry } from "../../core/ui-api.ts";
import { runLogRoute } from "../../core/ui-routes.ts";
import { sayError } from "../client/app-refusal.ts";
import { callApp } from "../client/call-app.ts";
import { formatSpan } from "../model/format.ts";
import { isProblem, type LogShow, laneOfHop, lanes, selectEntries } from "../model/run-log-lines.ts";
import { visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";
import { hopWords, logWord } from "../words/states.ts";
import { useApp } from "./app-context.tsx";
import { PageBar } from "./page-bar.tsx";
import { hrefOf } from "./route.ts";

interface LogPageProps {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
}

/** What happened in one run, by time: who told whom what. */
export default function LogPage({ threadId, turnId }: LogPageProps) {
	const { app } = useApp();
	const thread = app.threads.find((one) => one.threadId === threadId);
	const [log, setLog] = useState<RunLog>();
	const [problem, setProblem] = useState<string>();
	const [show, setShow] = useState<LogShow>("all");
	const read = useCallback(() => {
		callApp("runLog", { threadId, turnId }).then(setLog, (error: unknown) => setProblem(sayError(error)));
	}, [threadId, turnId]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the log is read again whenever its thread changes
	useEffect(read, [read, thread]);
	const entries = log?.entries ?? [];
	const first = entries[0];
	const last = entries.at(-1);
	const problems = entries.filter(isProblem).length;
	const choice = (value: LogShow, text: string) => (
		<button type="button" aria-pressed={show === value} onClick={() => setShow(value)}>
			{value === "problems" && <Icon of={TriangleAlert} small />}
			{text}
		</button>
	);
	return (
		<main className="main">
			<PageBar title={visibleName(thread?.title ?? words.log.title)}>
				<a className="ib" href={hrefOf({ page: "thread", threadId })} aria-label={words.log.close} title={words.log.close}>
					<Icon of={ArrowLeft} />
				</a>
				<button type="button" className="ib" onClick={read} aria-label={words.files.again}>
					<Icon of={RotateCcw} />
				</button>
				<a className="btn" href={runLogRoute(threadId, turnId)} download>
					<Icon of={Download} />
					{words.log.export}
				</a>
			</PageBar>
			<div className="log-head">
				<h2 className="strong">{words.log.title}</h2>
				<span className="num soft">
					{first !== undefined &&
						last !== undefined &&
						fill(words.log.whole, { time: formatSpan(Date.parse(last.at) - Date.parse(first.at)) })}
				</span>
				<span className="grow" />
				<fieldset className="seg" aria-label={words.log.show}>
					{choice("all", fill(words.log.all, { count: entries.length }))}
					{choice("hops", words.log.hops)}
					{choice("tools", words.log.tools)}
					{choice("problems", fill(words.log.problems, { count: problems }))}
				</fieldset>
			</div>
			{problem !== undefined && <p className="opt-say st st-bad wrap">{problem}</p>}
			{log?.more === true && <p className="opt-say muted">{words.log.more}</p>}
			<LogLines entries={selectEntries(entries, show)} begin={first?.at ?? ""} />
		</main>
	);
}

const LINE_PX = 34;

function LogLines({ entries, begin }: { readonly entries: readonly RunLogEntry[]; readonly begin: string }) {
	const scroll = useRef<HTMLDivElement>(null);
	const hasAgent = entries.some(({ from, to }) => from === "agent" || to === "agent");
	const lines = useVirtualizer({
		count: entries.length,
		getScrollElement: () => scroll.current,
		estimateSize: () => LINE_PX,
		overscan: 20,
	});
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a log must be scrollable by keyboard
		<section className="scroll lanes" ref={scroll} tabIndex={0} aria-label={words.log.title}>
			<div className="ev head" aria-hidden="true">
				<span className="at">{words.log.seconds}</span>
				<span className="tr">
					{lanes.map((lane) => (
						<span key={lane}>{hopWords[lane === "openclaw" && hasAgent ? "agent" : lane]}</span>
					))}
				</span>
				<span>{words.log.what}</span>
				<span>{words.log.seq}</span>
			</div>
			{entries.length === 0 && <p className="opt-say muted">{words.log.empty}</p>}
			<ol className="virtual" style={{ height: lines.getTotalSize() }}>
				{lines.getVirtualItems().map(({ index, key, start }) => {
					const entry = entries[index];
					return (
						entry && (
							<li key={key} data-index={index} ref={lines.measureElement} style={{ transform: `translateY(${start}px)` }}>
								<LogLine entry={entry} begin={begin} />
							</li>
						)
					);
				})}
			</ol>
		</section>
	);
}

function LogLine({ entry, begin }: { readonly entry: RunLogEntry; readonly begin: string }) {
	const { at, from, to, what, text, seq, dropped } = entry;
	const a = laneOfHop(from);
	const b = laneOfHop(to);
	const tone = dropped === true || isProblem(entry) ? "warn" : what === "synced" ? "good" : "";
	const name = from === to ? hopWords[from] : fill(words.log.to, { from: hopWords[from], to: hopWords[to] });
	const place = { "--a": a, "--b": b } as CSSProperties;
	return (
		<div className={`ev ${tone}`}>
			<span className="at num">{((Date.parse(at) - Date.parse(begin)) / 1000).toFixed(3)}</span>
			<span className="tr" style={place} aria-hidden="true">
				{a !== b && <span className="hopline" />}
				{a !== b && <span className={`tip ${b < a ? "left" : ""}`} />}
				<span className="dot" />
			</span>
			<span className="what">
				<span className="hopname">{name}</span> <b>{visibleName(logWord(what))}</b> <span className="d">{visibleName(text)}</span>
			</span>
			<span className="d num nowrap">{seq}</span>
		</div>
	);
}

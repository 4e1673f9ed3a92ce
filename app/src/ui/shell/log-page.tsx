import { useVirtualizer } from "@tanstack/react-virtual";
import type { ThreadId, TurnId } from "@xworkmate/contracts";
import { ArrowLeft, Download, RotateCcw, TriangleAlert } from "lucide-react";
import { type CSSProperties, useCallback, useEffect, useRef, useState } from "react";
import type { Hop, RunLog, RunLogEntry } from "../../core/ui-api.ts";
import { runLogRoute } from "../../core/ui-routes.ts";
import { sayError } from "../client/app-refusal.ts";
import { callApp } from "../client/call-app.ts";
import { formatSpan } from "../model/format.ts";
import { isProblem, type LogShow, lanesOf, selectEntries } from "../model/run-log-lines.ts";
import { visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { VisibleCode } from "../parts/visible-code.tsx";
import { fill, words } from "../words/interface.ts";
import { hopWords, logWord } from "../words/states.ts";
import { useApp, useProviderName } from "./app-context.tsx";
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
	const agent = useProviderName(log?.providerId);
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
					<span className="vh-n">{words.log.export}</span>
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
			<LogLines entries={selectEntries(entries, show)} lanes={lanesOf(entries)} agent={agent} begin={first?.at ?? ""} />
		</main>
	);
}

const LINE_PX = 34;

interface LogLinesProps {
	readonly entries: readonly RunLogEntry[];
	readonly lanes: readonly Hop[];
	/** As people call it. */
	readonly agent: string;
	readonly begin: string;
}

function LogLines({ entries, lanes, agent, begin }: LogLinesProps) {
	const scroll = useRef<HTMLDivElement>(null);
	// Lines out of sight are not kept on the page, so what is open is kept here.
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
	const name = (hop: Hop) => (hop === "agent" ? visibleName(agent) : hopWords[hop]);
	const width = { "--lanes": lanes.length } as CSSProperties;
	const lines = useVirtualizer({
		count: entries.length,
		getScrollElement: () => scroll.current,
		estimateSize: () => LINE_PX,
		overscan: 20,
	});
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a log must be scrollable by keyboard
		<section className="scroll lanes" ref={scroll} style={width} tabIndex={0} aria-label={words.log.title}>
			<div className="ev head" aria-hidden="true">
				<span className="at">{words.log.seconds}</span>
				<span className="tr">
					{lanes.map((lane) => (
						<span key={lane} className="cut" title={name(lane)}>
							{name(lane)}
						</span>
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
								<LogLine
									entry={entry}
									lanes={lanes}
									name={name}
									begin={begin}
									isOpen={open.has(keyOf(entry))}
									toggle={() => setOpen(toggled(open, keyOf(entry)))}
								/>
							</li>
						)
					);
				})}
			</ol>
		</section>
	);
}

/** The same when the log is read again. */
function keyOf({ at, seq, what }: RunLogEntry): string {
	return `${at} ${seq ?? what}`;
}

function toggled(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
	const next = new Set(open);
	if (!next.delete(key)) next.add(key);
	return next;
}

/** Shorter lines are seen whole on every screen. */
const SEEN_CHARACTERS = 40;

interface LogLineProps extends Pick<LogLinesProps, "lanes" | "begin"> {
	readonly entry: RunLogEntry;
	readonly isOpen: boolean;
	name(hop: Hop): string;
	toggle(): void;
}

function LogLine({ entry, lanes, name, begin, isOpen, toggle }: LogLineProps) {
	const { at, from, to, what, text, whole, seq, dropped } = entry;
	const isLong = whole !== undefined || text.length > SEEN_CHARACTERS;
	const a = lanes.indexOf(from);
	const b = lanes.indexOf(to);
	const tone = dropped === true ? "warn" : isProblem(entry) ? "bad" : what === "synced" ? "good" : "";
	const who = from === to ? name(from) : fill(words.log.to, { from: name(from), to: name(to) });
	const place = { "--a": a, "--b": b } as CSSProperties;
	return (
		<div className={`ev ${tone}`}>
			<span className="at num">{((Date.parse(at) - Date.parse(begin)) / 1000).toFixed(3)}</span>
			<span className="tr" style={place} aria-hidden="true">
				{a !== b && <span className="hopline" />}
				{a !== b && <span className={`tip ${b < a ? "left" : ""}`} />}
				<span className="dot" />
			</span>
			<span className={isLong ? "what long" : "what"}>
				<span className="hopname">{who}</span> <b>{visibleName(logWord(what))}</b>{" "}
				{isLong ? (
					<button type="button" className="d log-more" aria-expanded={isOpen} onClick={toggle}>
						{visibleName(text)}
					</button>
				) : (
					<span className="d">{visibleName(text)}</span>
				)}
			</span>
			<span className="d num nowrap">{seq}</span>
			{isOpen && (
				<div className="log-whole">
					<VisibleCode text={whole ?? text} label={words.log.details} whole />
				</div>
			)}
		</div>
	);
}

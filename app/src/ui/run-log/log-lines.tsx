import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type KeyboardEvent, useEffect, useRef } from "react";
import type { Participant, RunLogEntry } from "../../api/ui-api.ts";
import { fill } from "../../strings/interface.ts";
import { hopWords, logPageWords } from "../../strings/runs/log-page-words.ts";
import { visibleName } from "../text/visible-text.ts";
import { eventName, eventText, formatNumber, formatOffset, isProblem, type LogLine, movedTo } from "./run-log-lines.ts";

const LINE_PX = 34;
const PAGE_LINES = 15;
/** The id of the list, so that focus can return to it. */
export const LOG_LIST_ID = "log-list";

interface LogLinesProps {
	readonly lines: readonly LogLine[];
	readonly lanes: readonly Participant[];
	/** The agent's display name. */
	readonly agent: string;
	readonly begin: string;
	/** The position of the selected line in the whole log. */
	readonly chosen?: number;
	readonly empty: string;
	choose(index: number): void;
	open(index: number): void;
	close(): void;
}

/** Who sent what to whom, in chronological order. Only the lines near the viewport are rendered, however many there are. */
export function LogLines(props: LogLinesProps) {
	const { lines, lanes, agent, chosen } = props;
	const scroll = useRef<HTMLDivElement>(null);
	const width = { "--lanes": lanes.length } as CSSProperties;
	const virtual = useVirtualizer({
		count: lines.length,
		getScrollElement: () => scroll.current,
		estimateSize: () => LINE_PX,
		overscan: 20,
		// The heading above the lines stays visible, so a line that is scrolled into view has to be below it.
		scrollPaddingStart: LINE_PX,
	});
	const place = lines.findIndex(({ index }) => index === chosen);
	const shown = virtual.getVirtualItems();
	// The selected line is scrolled into view when the log opens with it, and whenever the selection moves.
	useEffect(() => {
		if (place >= 0) virtual.scrollToIndex(place, { align: "auto" });
	}, [virtual, place]);
	const onKeyDown = (event: KeyboardEvent) => {
		const line = lines[place];
		const next = movedTo(event.key, place, lines.length, PAGE_LINES);
		const to = next === undefined ? undefined : lines[next];
		if (to !== undefined) props.choose(to.index);
		else if (event.key === "Escape") props.close();
		else if ((event.key === "Enter" || event.key === " ") && line !== undefined) props.open(line.index);
		else return;
		event.preventDefault();
	};
	return (
		<section className="scroll lanes" ref={scroll} style={width} aria-label={logPageWords.title}>
			<div className="ev head" aria-hidden="true">
				<span className="nr">{logPageWords.number}</span>
				<span className="at">{logPageWords.time}</span>
				<span className="tr">
					{lanes.map((lane) => (
						<span key={lane} className="cut" title={participantName(lane, agent)}>
							{participantName(lane, agent)}
						</span>
					))}
				</span>
				<span>{logPageWords.event}</span>
			</div>
			{lines.length === 0 && <p className="opt-say muted">{props.empty}</p>}
			<div
				id={LOG_LIST_ID}
				className="virtual log-list"
				role="listbox"
				tabIndex={0}
				aria-label={logPageWords.events}
				aria-activedescendant={shown.some(({ index }) => index === place) ? lineId(chosen) : undefined}
				style={{ height: virtual.getTotalSize() }}
				onKeyDown={onKeyDown}
			>
				{shown.map(({ index, key, start }) => {
					const line = lines[index];
					return (
						line && (
							// biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys for its options
							<div
								key={key}
								id={lineId(line.index)}
								className="log-line"
								role="option"
								// The focus stays on the list, which names its active option.
								tabIndex={-1}
								aria-selected={line.index === chosen}
								aria-posinset={index + 1}
								aria-setsize={lines.length}
								data-index={index}
								ref={virtual.measureElement}
								style={{ transform: `translateY(${start}px)` }}
								onMouseDown={(event) => event.preventDefault()}
								onClick={() => {
									document.getElementById(LOG_LIST_ID)?.focus({ preventScroll: true });
									props.open(line.index);
								}}
							>
								<LogRow entry={line.entry} lanes={lanes} agent={agent} begin={props.begin} />
							</div>
						)
					);
				})}
			</div>
		</section>
	);
}

function lineId(index: number | undefined): string | undefined {
	return index === undefined ? undefined : `log-line-${index}`;
}

function participantName(hop: Participant, agent: string): string {
	return hop === "agent" ? visibleName(agent) : hopWords[hop];
}

/** "Bridge to Goose", or a single name for an event that took place within one participant. */
export function whereOf({ from, to }: Pick<RunLogEntry, "from" | "to">, agent: string): string {
	return from === to
		? participantName(from, agent)
		: fill(logPageWords.to, { from: participantName(from, agent), to: participantName(to, agent) });
}

function LogRow({ entry, lanes, agent, begin }: Pick<LogLinesProps, "lanes" | "agent" | "begin"> & { readonly entry: RunLogEntry }) {
	const { at, from, to, what, seq, dropped } = entry;
	const a = lanes.indexOf(from);
	const b = lanes.indexOf(to);
	const tone = dropped === true ? "warn" : isProblem(entry) ? "bad" : what === "synced" ? "good" : "";
	const place = { "--a": a, "--b": b } as CSSProperties;
	return (
		<div className={`ev ${tone}`}>
			<span className="nr d num">{seq === undefined ? "" : formatNumber(seq)}</span>
			<span className="at num">{formatOffset(Date.parse(at) - Date.parse(begin))}</span>
			<span className="tr" style={place} aria-hidden="true">
				{a !== b && <span className="hopline" />}
				{a !== b && <span className={`tip ${b < a ? "left" : ""}`} />}
				<span className="dot" />
			</span>
			<span className="what">
				<span className="hopname">{whereOf(entry, agent)}</span> <b>{eventName(entry)}</b>{" "}
				<span className="d">{eventText(entry, agent)}</span>
			</span>
		</div>
	);
}

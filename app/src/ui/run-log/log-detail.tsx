import { ArrowLeft, ClipboardCopy, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { RunLogEntry } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { logPageWords } from "../../strings/runs/log-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { formatClockTime, formatShort } from "../text/format.ts";
import { visibleText } from "../text/visible-text.ts";
import { LOG_LIST_ID, whereOf } from "./log-lines.tsx";
import { eventName, eventText, formatNumber, formatOffset } from "./run-log-lines.ts";

/** Longer text would slow down the page; a button shows the rest. */
const SHOWN_CHARACTERS = 100_000;

interface LogDetailProps {
	readonly entry: RunLogEntry;
	readonly agent: string;
	readonly begin: string;
	close(): void;
}

/** One event with its complete text. */
export function LogDetail({ entry, agent, begin, close }: LogDetailProps) {
	const back = useRef<HTMLButtonElement>(null);
	const { pane } = useApp();
	// On a phone, the details replace the list, and their Back button takes the focus as soon as their pane is visible.
	useEffect(() => {
		if (pane === "panel" && document.getElementById(LOG_LIST_ID)?.checkVisibility() === false) back.current?.focus();
	}, [pane]);
	const whole = visibleText(entry.whole ?? eventText(entry, agent), "keep").text;
	const copy = () =>
		attempt(async () => {
			await navigator.clipboard.writeText(whole);
			say(words.copy.copied);
		});
	return (
		<aside
			className="panel log"
			aria-label={logPageWords.details}
			onKeyDown={(event) => {
				if (event.key !== "Escape") return;
				event.preventDefault();
				close();
			}}
		>
			<header className="bar">
				<button type="button" className="ib back" ref={back} aria-label={logPageWords.backToLog} onClick={close}>
					<Icon of={ArrowLeft} />
				</button>
				<h2 className="panel-title cut">{eventName(entry)}</h2>
				<span className="grow" />
				{whole !== "" && (
					<button type="button" className="ib" aria-label={logPageWords.copy} title={logPageWords.copy} onClick={() => void copy()}>
						<Icon of={ClipboardCopy} />
					</button>
				)}
				<button
					type="button"
					className="ib hide-n"
					aria-label={logPageWords.closeDetails}
					title={logPageWords.closeDetails}
					onClick={close}
				>
					<Icon of={X} />
				</button>
			</header>
			<div className="log-detail">
				<Facts entry={entry} agent={agent} begin={begin} />
				<WholeText key={begin + entry.at} text={whole} />
			</div>
		</aside>
	);
}

function Facts({ entry, agent, begin }: Omit<LogDetailProps, "close">) {
	const { at, seq, lastSeq, lastAt, parts } = entry;
	const sinceStart = fill(logPageWords.sinceStart, { time: formatOffset(Date.parse(at) - Date.parse(begin)) });
	const numbers = lastSeq === undefined ? seq : fill(logPageWords.numbers, { first: formatNumber(seq ?? 0), last: formatNumber(lastSeq) });
	const rows: readonly (readonly [string, string | undefined])[] = [
		[logPageWords.when, `${formatClockTime(at)}, ${sinceStart}`],
		[logPageWords.where, whereOf(entry, agent)],
		[logPageWords.number, numbers === undefined ? undefined : String(numbers)],
		[logPageWords.parts, parts === undefined ? undefined : formatNumber(parts)],
		[logPageWords.took, lastAt === undefined ? undefined : formatShort(Date.parse(lastAt) - Date.parse(at))],
	];
	return (
		<dl className="kv">
			{rows.map(
				([name, value]) =>
					value !== undefined && (
						<div key={name} className="kv-row">
							<dt>{name}</dt>
							<dd className="num wrap">{value}</dd>
						</div>
					),
			)}
		</dl>
	);
}

function WholeText({ text }: { readonly text: string }) {
	const [isWhole, setWhole] = useState(false);
	if (text === "") return <p className="muted">{logPageWords.noText}</p>;
	const isCut = !isWhole && text.length > SHOWN_CHARACTERS;
	return (
		<section aria-label={logPageWords.text}>
			<pre className="code whole">{isCut ? text.slice(0, SHOWN_CHARACTERS) : text}</pre>
			{isCut && (
				<button type="button" className="btn" onClick={() => setWhole(true)}>
					{fill(logPageWords.showAll, { count: formatNumber(text.length) })}
				</button>
			)}
		</section>
	);
}

import type { Activity, ActivityItem, ThreadId } from "@xworkmate/contracts";
import { isUnnamedCall } from "@xworkmate/contracts/asked-name";
import {
	Ban,
	ChevronRight,
	CircleCheck,
	CircleDashed,
	CircleDot,
	Eye,
	Hand,
	type LucideIcon,
	MessageSquare,
	OctagonX,
	ReceiptText,
} from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { activityWords, callWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import { Icon } from "../components/icon.tsx";
import { RiskMark } from "../components/risk-mark.tsx";
import { useStore } from "../connection/store.ts";
import { CallTrail } from "../receipts/trail.tsx";
import { preferences } from "../state/preferences.ts";
import { hrefOf } from "../state/route.ts";
import { formatSecond } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import type { LiveRun } from "../turn/activity-so-far.ts";
import { activityView, type ItemLook, lookOf, statusWord, whyOf } from "../turn/activity-view.ts";
import { asOfWords } from "../turn/tool-line.ts";

interface ActivityBlockProps {
	readonly activity: Activity;
	readonly threadId: ThreadId;
	/** The agent that reported its own calls. */
	readonly provider: string;
	/** Present if the run is active. */
	readonly live?: LiveRun;
}

/**
 * What the run did, according to its receipts alone: the executed calls one by one, and separately what the agent reported about its own
 * calls.
 */
export function ActivityBlock({ activity, threadId, provider, live }: ActivityBlockProps) {
	const { title, notes, executed, reads, reported } = activityView(activity, live);
	const dated = (said: string) => (live?.asOf === undefined ? said : asOfWords(said, live.asOf));
	// The calls that are not listed are reads, unless the list was cut, in which case they may be of any kind.
	const unlisted = Math.max(0, activity.counts.reported - reported.length);
	const [unlistedReads, cut] = activity.truncated ? [0, unlisted] : [unlisted, 0];
	const listedReads = activity.truncated ? 0 : reported.filter(isOnlyRead).length;
	const isOurs = executed.length + reads.length > 0;
	const filter = { runId: activity.runId, threadId };
	const byUs = isOurs ? "" : `${dated(fill(activityWords.byUs, { title }))}. `;
	return (
		<section className="body" aria-label={activityWords.label}>
			{isOurs && (
				<div className="act-head">
					<h3>{dated(title)}</h3>
					{notes.length > 0 && <span className="muted small">{notes.join(", ")}</span>}
					<span className="grow" />
					<a className="btn quiet" href={hrefOf({ page: "receipts", filter })}>
						<Icon of={ReceiptText} />
						<span className="vh-n">{activityWords.all}</span>
					</a>
				</div>
			)}
			{executed.length > 0 && <Rows items={executed} label={dated(title)} live={live} />}
			{reads.length > 0 && (
				<Fold icon={Eye} text={sayCount(reads.length, activityWords.reads)}>
					<Rows items={reads} label={sayCount(reads.length, activityWords.reads)} />
				</Fold>
			)}
			{reported.length + cut > 0 && (
				<Fold
					icon={MessageSquare}
					text={`${byUs}${reportedHead(reported.length + cut - listedReads, unlistedReads + listedReads, provider)}`}
				>
					<p className="muted small">{fill(activityWords.reportedSay, { provider: visibleName(provider) })}</p>
					<Rows items={reported} label={fill(activityWords.reported, { provider: visibleName(provider) })} live={live} />
					{unlistedReads > 0 && reported.length > 0 && (
						<p className="muted small">{sayCount(unlistedReads, activityWords.readsNotListed)}</p>
					)}
					{cut > 0 && (
						<p className="muted small">
							{fill(activityWords.more, { count: cut })}{" "}
							<a href={hrefOf({ page: "receipts", filter: { ...filter, origin: "reported" } })}>{activityWords.all}</a>
						</p>
					)}
				</Fold>
			)}
		</section>
	);
}

/** True for a reported call that only read. A call that was decided about, or made without permission, is counted with the others. */
function isOnlyRead({ risk, approval, unpermitted }: ActivityItem): boolean {
	return risk === "read" && approval?.decision === undefined && unpermitted === undefined;
}

/** Successful reads are not listed, so reads are counted separately. */
function reportedHead(count: number, onlyRead: number, provider: string): string {
	const by = fill(activityWords.reported, { provider: visibleName(provider) });
	if (count === 0) return `${by}: ${sayCount(onlyRead, activityWords.readCalls)}`;
	const reads = onlyRead === 0 ? "" : `, ${sayCount(onlyRead, activityWords.onlyRead)}`;
	return `${by}: ${sayCount(count, activityWords.calls)}${reads}`;
}

interface FoldProps {
	readonly icon: LucideIcon;
	readonly text: string;
	readonly children: React.ReactNode;
}

function Fold({ icon, text, children }: FoldProps) {
	const [isOpen, setOpen] = useState(false);
	return (
		<details className="acted-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary>
				<Icon of={ChevronRight} small className="chev" />
				<Icon of={icon} small />
				<span>{text}</span>
			</summary>
			{isOpen && children}
		</details>
	);
}

interface RowsProps {
	readonly items: readonly ActivityItem[];
	readonly label: string;
	readonly live?: LiveRun | undefined;
}

function Rows({ items, label, live }: RowsProps) {
	return (
		<ol className="acted" aria-label={label}>
			{items.map((item) => (
				<Row key={item.toolCallId} item={item} live={live} />
			))}
		</ol>
	);
}

const icons: Readonly<Record<ItemLook, readonly [LucideIcon, string]>> = {
	succeeded: [CircleCheck, "st-ok"],
	failed: [OctagonX, "st-bad"],
	denied: [Ban, "st-off"],
	unknown: [CircleDashed, "st-unk"],
	asked: [Hand, "st-need"],
	started: [CircleDot, "st-run"],
	open: [CircleDashed, "st-off"],
};

function Row({ item, live }: { readonly item: ActivityItem; readonly live: LiveRun | undefined }) {
	const [isOpen, setOpen] = useState(false);
	const { singleKeys } = useStore(preferences);
	const { toolId, risk, origin, status, when, words, title = "", receiptRef, planId, unpermitted, contradiction, code } = item;
	const isDenied = status === "denied" || (origin === "reported" && code === "DENIED");
	const isAgainst = unpermitted !== undefined || contradiction !== undefined;
	const look = lookOf(item, live);
	const [icon, ownTone] = isAgainst ? icons.failed : isDenied ? icons.denied : icons[look];
	const isSaid = origin === "reported" && !isAgainst && look !== "unknown" && !isDenied;
	// What is known about a call without a result may have changed since contact was lost.
	const asOf = status === "pending" ? live?.asOf : undefined;
	const tone = isSaid ? "st-off" : asOf === undefined ? ownTone : "st-unk";
	const word = statusWord(item, look);
	const why = whyOf(item, look);
	const what = words === "" ? toolId : visibleName(words);
	const n = receiptRef.split(".").at(-1) ?? "";
	const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
		if (event.ctrlKey || event.altKey || event.metaKey || event.nativeEvent.isComposing) return;
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by !== undefined && event.target instanceof HTMLElement) {
			const refs = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>(":scope > li > .end > .ref") ?? [])];
			refs[refs.indexOf(event.target) + by]?.focus();
		} else if (singleKeys && event.key.toLowerCase() === "r") setOpen(!isOpen);
		else return;
		event.preventDefault();
	};
	return (
		<li onKeyDown={onKeyDown}>
			<span className={`st ${tone}`}>
				<Icon of={isSaid ? MessageSquare : icon} />
				{asOf === undefined ? word : asOfWords(word, asOf)}
			</span>
			<div className="what">
				{what}
				<div className="sub">
					<code className="tid">{visibleName(toolId)}</code>
					{origin === "executed" && <RiskMark risk={risk} />}
					{why !== "" && <span>{visibleName(why)}</span>}
					{title !== "" && !isUnnamedCall(title) && !title.endsWith(words) && (
						<span>{visibleName(fill(callWords.agentCalls, { title }))}</span>
					)}
					{planId !== undefined && <a href={hrefOf({ page: "plan", planId })}>{activityWords.openPlan}</a>}
				</div>
			</div>
			<div className="end">
				<button
					type="button"
					className="ref"
					aria-expanded={isOpen}
					aria-label={fill(activityWords.receiptOf, { n, what })}
					onClick={() => setOpen(!isOpen)}
				>
					{fill(activityWords.receipt, { n })}
					<Icon of={ChevronRight} small />
				</button>
				<time dateTime={when}>{formatSecond(when).time}</time>
			</div>
			{isOpen && <CallTrail receiptId={receiptRef} />}
		</li>
	);
}

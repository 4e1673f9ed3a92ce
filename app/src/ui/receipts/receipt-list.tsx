import type { Receipt, ReceiptType, TaskSummary } from "@xworkmate/contracts";
import { contradictionBy, deniedCommandBy, unpermittedBy } from "@xworkmate/contracts/unpermitted";
import { Ban, CircleCheck, CircleDashed, Clock3, KeyRound, Link2, Link2Off, type LucideIcon, MessageSquare, OctagonX } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { activityWords, receiptWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { receiptsPageWords as words } from "../../strings/receipts/receipts-page-words.ts";
import { soFarWords } from "../../strings/runs/so-far-words.ts";
import { receiptLine } from "../../text/receipts/receipt-line.ts";
import { Icon } from "../components/icon.tsx";
import { RiskMark } from "../components/risk-mark.tsx";
import { formatSecond, formatWhen } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { statusWord, unanswered } from "../turn/activity-view.ts";
import { type ChainState, chainState, isDamaged, type ListedCall, type ListedRun, ownerOf, type Verified } from "./receipt-groups.ts";

interface ReceiptListProps {
	readonly runs: readonly ListedRun[];
	readonly tasks: ReadonlyMap<string, TaskSummary>;
	readonly verified: Verified | undefined;
	/** True if only receipts of one type are listed. Then a row shows its event instead of how its call ended. */
	readonly byType: boolean;
	readonly call: string | undefined;
	whereOf(id: string, isPlan: boolean): ReactNode;
	agentOf(runId: string): string;
	open(receiptId: string): void;
}

/** The receipts by run and call, newest first. Arrow keys move between the rows, and Enter opens one. */
export function ReceiptList({ runs, tasks, verified, byType, call, whereOf, agentOf, open }: ReceiptListProps) {
	const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by === undefined || !(event.target instanceof HTMLElement) || !event.target.matches(".rc")) return;
		const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".rc")];
		rows[rows.indexOf(event.target) + by]?.focus();
		event.preventDefault();
	};
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between its buttons
		<div onKeyDown={onKeyDown}>
			{runs.map((run) => {
				const chain = chainState(run, tasks.get(run.runId), verified);
				const task = tasks.get(run.runId);
				return (
					<section className="rrun" key={run.runId} aria-label={fill(run.isPlan ? words.plan : words.run, { id: run.runId })}>
						<header>
							{whereOf(run.runId, run.isPlan)}
							<span>{run.isPlan ? words.ofPlan : visibleName(agentOf(run.runId))}</span>
							{task !== undefined && <time dateTime={task.createdAt}>{formatWhen(task.createdAt, Date.now())}</time>}
							<Chain chain={chain} />
						</header>
						{run.calls.map((one) => (
							<CallRow key={one.key} call={one} chain={chain} byType={byType} isOpen={isOf(one, call)} open={open} />
						))}
					</section>
				);
			})}
		</div>
	);
}

function isOf({ newest, first, last }: ListedCall, receiptId: string | undefined): boolean {
	const n = Number(receiptId?.split(".").at(-1));
	return receiptId?.startsWith(`${ownerOf(newest)}.`) === true && n >= first && n <= last;
}

function Chain({ chain }: { readonly chain: ChainState }) {
	const [icon, tone, text] = chainLook(chain);
	return (
		<span className={`st ${tone}`}>
			<Icon of={icon} />
			{text}
		</span>
	);
}

function chainLook(chain: ChainState): readonly [LucideIcon, string, string] {
	switch (chain.state) {
		case "problem":
			// `n` is 0 if all receipts are missing.
			return [Link2Off, "st-bad", chain.problem.n ? fill(words.problemAt, { n: chain.problem.n }) : words.problem];
		case "running":
			return [Clock3, "soft", words.stillRunning];
		case "intact":
			return [Link2, "st-ok", words.intact];
		case "unverified":
			return [CircleDashed, "soft", words.notVerified];
	}
}

interface CallRowProps {
	readonly call: ListedCall;
	readonly chain: ChainState;
	readonly byType: boolean;
	readonly isOpen: boolean;
	open(receiptId: string): void;
}

function CallRow({ call, chain, byType, isOpen, open }: CallRowProps) {
	const { newest, end, first, last } = call;
	const { toolId, risk } = newest;
	const isBroken = isDamaged(call, chain);
	const [icon, tone, word] = isBroken ? ([Link2Off, "st-bad", words.unreliable] as const) : rowLook(end, byType);
	// The receipts of a damaged run prove nothing, so none of them is shown in green.
	const shown = chain.state === "problem" && tone === "st-ok" ? "soft" : tone;
	return (
		<button type="button" className="rc" aria-current={isOpen ? "true" : undefined} onClick={() => open(newest.receiptId)}>
			<span className={`st ${shown}`}>
				<Icon of={icon} />
				{word}
			</span>
			<span className="what">
				{visibleName(call.name === "" ? (toolId ?? receiptLine(newest)) : call.name)}
				<span className="sub">
					{toolId !== undefined && <code className="tid">{visibleName(toolId)}</code>}
					{risk !== undefined && end.origin === "executed" && <RiskMark risk={risk} />}
					{call.note !== "" && <span>{visibleName(call.note)}</span>}
				</span>
			</span>
			<time dateTime={newest.at}>{formatSecond(newest.at).time}</time>
			<span className="n">{first === last ? first : fill(words.range, { first, last })}</span>
		</button>
	);
}

const ends: Readonly<Partial<Record<ReceiptType, readonly [LucideIcon, string, Parameters<typeof statusWord>[0]["status"]]>>> = {
	"tool.call.succeeded": [CircleCheck, "st-ok", "succeeded"],
	"tool.call.failed": [OctagonX, "st-bad", "failed"],
	"tool.call.denied": [Ban, "st-off", "denied"],
	"tool.call.unknown": [CircleDashed, "st-unk", "unknown"],
	"tool.call.requested": [Clock3, "soft", "pending"],
	"tool.call.approved": [Clock3, "soft", "pending"],
	"tool.call.started": [Clock3, "soft", "pending"],
};

function rowLook(receipt: Receipt, byType: boolean): readonly [LucideIcon, string, string] {
	const { type, origin, decision, outcome } = receipt;
	const code = decision?.reason ?? outcome?.code;
	const unpermitted = unpermittedBy(receipt);
	if (deniedCommandBy(receipt) !== undefined) return [OctagonX, "st-bad", activityWords.contains.word];
	if (unpermitted !== undefined) return [OctagonX, "st-bad", activityWords.despite[unpermitted].word];
	if (contradictionBy(receipt) !== undefined) return [OctagonX, "st-bad", activityWords.contradicted.word];
	const end = ends[type];
	if (end === undefined) return [KeyRound, "soft", receiptWords[type]];
	const [icon, tone, status] = end;
	const isSaid = origin === "reported" && (status === "succeeded" || (status === "failed" && code !== "DENIED"));
	const typeWord = type === "tool.call.denied" && unanswered.has(code) ? activityWords.noAnswer : receiptWords[type];
	if (type === "tool.call.started" && !byType) return [icon, tone, soFarWords.started.why];
	// The receipts don't say whether a request is still open, or whether a call that was allowed has started.
	const word = byType || status === "pending" ? typeWord : statusWord({ origin, status, ...(code && { code }) });
	return isSaid ? [MessageSquare, "soft", word] : [icon, tone, word];
}

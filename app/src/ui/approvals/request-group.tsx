import type { Approval } from "@xworkmate/contracts";
import { Check, Clock3, Hand } from "lucide-react";
import { useState } from "react";
import { callWords } from "../../strings/calls/call-words.ts";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { useApp, useBridgeNow } from "../state/app-context.tsx";
import { formatClock, formatTime } from "../text/format.ts";
import { ApprovalPrompt } from "./approval-prompt.tsx";
import { DenyAll } from "./deny-all.tsx";

interface RequestGroupProps {
	/** Requests of one run that are waiting, or were waiting, at the same time, oldest first. Never empty. */
	readonly approvals: readonly Approval[];
	readonly provider: string;
}

/**
 * A card for requests of a run's tools that are waiting together, with a row for each. A request that is joined by others keeps its place
 * on the page and the focus.
 */
export function RequestGroup({ approvals, provider }: RequestGroupProps) {
	const { app, link, state } = useApp();
	const answers = useStore(link.answers);
	const [wasOpen] = useState(approvals.some(({ state: asked }) => asked === "pending"));
	const open = approvals.filter((approval) => approval.state === "pending" && !isAnswered(answers.get(approval.approvalId)));
	// If all requests were answered before this page showed them, each is shown as just a line.
	const inGroup = approvals.length > 1 && (wasOpen || open.length > 0);
	const isLost = state !== "live" || app.threads.some(({ threadId, asOf }) => threadId === approvals[0]?.threadId && asOf !== undefined);
	return (
		<div className={inGroup ? `out rise ${open.length > 0 ? "need" : "answered"}` : undefined}>
			{inGroup && <GroupHead count={approvals.length} open={open} isLost={isLost} />}
			{approvals.map((approval) => (
				<ApprovalPrompt key={approval.approvalId} approval={approval} provider={provider} inGroup={inGroup} />
			))}
			{inGroup && open.length > 0 && (
				<footer>
					<DenyAll open={open} />
					{!isLost && <span className="rest">{fill(callWords.allEnd, { time: formatTime(firstEnd(open)) })}</span>}
				</footer>
			)}
		</div>
	);
}

function isAnswered(record: Approval | undefined): boolean {
	return record !== undefined && record.state !== "pending";
}

function firstEnd(open: readonly Approval[]): string {
	return open.map(({ expiresAt }) => expiresAt).reduce((first, next) => (Date.parse(next) < Date.parse(first) ? next : first));
}

interface GroupHeadProps {
	readonly count: number;
	readonly open: readonly Approval[];
	readonly isLost: boolean;
}

function GroupHead({ count, open, isLost }: GroupHeadProps) {
	const now = useBridgeNow();
	const isOpen = open.length > 0;
	return (
		<header>
			<span className="badge">
				<Icon of={isOpen ? Hand : Check} />
			</span>
			<div className="grow">
				<h2>{fill(isOpen ? callWords.group : callWords.groupOver, { count, open: open.length })}</h2>
				{isOpen && <p className="say">{isLost ? words.ask.lost : callWords.oneByOne}</p>}
			</div>
			{isOpen && !isLost && (
				<span className="flex num strong nowrap left">
					<Icon of={Clock3} small />
					{fill(words.ask.left, { time: formatClock(Date.parse(firstEnd(open)) - now) })}
				</span>
			)}
		</header>
	);
}

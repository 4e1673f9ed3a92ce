import type { ActivityItem, PlanId, Receipt, ReceiptProblem, TaskSummary, Verification } from "@xworkmate/contracts";
import { isUnnamedCall } from "@xworkmate/contracts/asked-name";
import { nameAfter } from "@xworkmate/contracts/call-name";
import { isLateDecision } from "@xworkmate/contracts/late-decision";
import { unpermittedBy } from "@xworkmate/contracts/unpermitted";
import { callWords } from "../../strings/calls/call-words.ts";
import { fill } from "../../strings/interface.ts";
import { capitalized } from "../../text/capital.ts";
import { areAllNamed } from "../../text/receipts/problems-named.ts";
import { messageEndLine, messageLine } from "../../text/receipts/receipt-line.ts";
import { endStatuses } from "../turn/activity-so-far.ts";

/** The listed receipts of one call, or of one message of a plan. A receipt that belongs to neither has its own group. */
export interface ListedCall {
	readonly key: string;
	readonly newest: Receipt;
	/** The receipt that says how far the call has come. It may not be the newest. */
	readonly end: Receipt;
	readonly first: number;
	readonly last: number;
	/** What the call does, in words; empty if no words for it are known. */
	readonly name: string;
	/** Says which words are the agent's own, or what was recorded about a message; empty if there is nothing to say. */
	readonly note: string;
}

export interface ListedRun {
	/** The id of the run or the plan. */
	readonly runId: string;
	/** True if `runId` is the id of a plan. */
	readonly isPlan: boolean;
	readonly calls: readonly ListedCall[];
	readonly newestAt: string;
}

/** All receipts of calls whose first receipt may not be listed, by `callKey`. */
export type Trails = ReadonlyMap<string, readonly Receipt[]>;

/** Identifies the call of a receipt among the calls of all runs; undefined if the receipt belongs to no call. */
export function callKey({ runId, toolCallId }: Receipt): string | undefined {
	return toolCallId === undefined ? undefined : `${runId} ${toolCallId}`;
}

/**
 * Groups receipts, which are listed newest first, by run or plan, and then by call or message. Runs and calls are in the order of their
 * newest receipts.
 * @param trails for the names of calls, because a filtered list may lack the receipt that has the name
 */
export function groupReceipts(receipts: readonly Receipt[], trails: Trails = new Map()): readonly ListedRun[] {
	const runs = Map.groupBy(receipts, ownerOf);
	return [...runs].map(([runId, ofRun]) => {
		const calls = Map.groupBy(ofRun, ({ toolCallId, receiptId, detail }) => toolCallId ?? `${detail?.["actionId"] ?? receiptId}`);
		const isPlan = ofRun[0]?.planId !== undefined;
		return { runId, isPlan, newestAt: ofRun[0]?.at ?? "", calls: [...calls].flatMap(([key, ofCall]) => callOf(key, ofCall, trails)) };
	});
}

/** The id of the run or plan that a receipt, or a problem with one, belongs to; empty for the ledger itself. */
export function ownerOf({ runId, planId }: Pick<ReceiptProblem, "runId" | "planId">): string {
	return runId ?? planId ?? "";
}

function callOf(key: string, receipts: readonly Receipt[], trails: Trails): readonly ListedCall[] {
	const [newest] = receipts;
	if (newest === undefined) return [];
	const numbers = receipts.map(({ n }) => n);
	const unlisted = (trails.get(callKey(newest) ?? "") ?? []).filter(({ n }) => !numbers.includes(n));
	const named = nameOfCall([...unlisted, ...receipts]);
	return [{ key, newest, end: endOf(receipts) ?? newest, first: Math.min(...numbers), last: Math.max(...numbers), ...named }];
}

interface Come extends Pick<ActivityItem, "origin" | "status" | "approval" | "unpermitted"> {
	readonly receipt: Receipt;
}

/**
 * The newest receipt that changes how far the call has come. A decision that came too late changes nothing about it, and neither does a
 * permission for a call that its agent had already begun, or an answer that was refused.
 */
function endOf(receipts: readonly Receipt[]): Receipt | undefined {
	const inOrder = receipts.toSorted((one, other) => one.n - other.n).filter(({ type }) => type !== "approval.actor_refused");
	let come: Come | undefined;
	for (const receipt of inOrder) {
		const { origin, type, decision } = receipt;
		const approval = decision === undefined ? come?.approval : { required: true, decision: decision.decision, by: decision.by };
		const unpermitted = unpermittedBy(receipt);
		const next: Come = { origin, status: endStatuses[type] ?? "pending", receipt, ...(unpermitted && { unpermitted }) };
		const now = come !== undefined && staysAfter(come, receipt) ? come : next;
		come = { ...now, ...(approval && { approval }) };
	}
	return come?.receipt;
}

function staysAfter(come: Come, next: Receipt): boolean {
	return isLateDecision(come, next) || (come.receipt.type === "tool.call.started" && next.type === "tool.call.approved");
}

/**
 * What a call does: in the words of its tool or, if an agent reported the call, by its command or by the files that the bridge looked at,
 * because an agent can put anything in a title. A message is named by its channel and recipient, with what was last recorded about it.
 */
export function nameOfCall(receipts: readonly Receipt[]): Pick<ListedCall, "name" | "note"> {
	const newest = receipts.toSorted((one, other) => one.n - other.n).at(-1);
	const [message, end] = [newest && messageLine(newest), newest && messageEndLine(newest)];
	if (message !== undefined) return { name: message, note: capitalized(end ?? "") };
	const said = receipts.find(({ words }) => words !== undefined);
	if (said?.origin !== "reported") return { name: said?.words ?? "", note: "" };
	type Named = ReturnType<typeof nameAfter> | undefined;
	const inOrder = receipts.toSorted((one, other) => one.n - other.n).filter(({ toolCallId }) => toolCallId !== undefined);
	const { words = "", title, command, file } = inOrder.reduce<Named>(nameAfter, undefined) ?? {};
	// A request for approval may be named by its command, so the agent's title is only known from the first receipt.
	if (inOrder[0]?.type !== "tool.call.requested" || isUnnamedCall(title ?? words)) return { name: words, note: "" };
	if (title !== undefined && title !== "") return { name: words, note: fill(callWords.agentCalls, { title }) };
	return { name: words, note: words === "" || command !== undefined || file !== undefined ? "" : callWords.agentsWords };
}

/** The result of a verification. */
export interface Verified {
	/** The plan that was verified; absent if everything was. */
	readonly planId?: PlanId;
	/** The time of the newest receipt that existed before the verification began, by the bridge's clock. */
	readonly upTo?: string;
	/** When the verification began, by this page's clock. */
	readonly checkedAt: string;
	readonly tookMs: number;
	readonly result: Verification;
}

export type ChainState =
	| { readonly state: "problem"; readonly problem: ReceiptProblem }
	| { readonly state: "running" | "intact" | "unverified" };

/** What is known about a run's chain. It isn't called intact if it wasn't checked, the ledger is damaged, or problems are left out. */
export function chainState(
	run: Pick<ListedRun, "runId" | "newestAt">,
	task: Pick<TaskSummary, "endedAt"> | undefined,
	verified: Verified | undefined,
): ChainState {
	const problem = verified?.result.problems.find((problem) => ownerOf(problem) === run.runId);
	if (problem !== undefined) return { state: "problem", problem };
	if (task !== undefined && task.endedAt === undefined) return { state: "running" };
	const isMeant = verified?.planId === undefined || verified.planId === run.runId;
	const isCovered = isMeant && verified?.upTo !== undefined && Date.parse(run.newestAt) <= Date.parse(verified.upTo);
	const problems = verified?.result.problems ?? [];
	const isWhole = areAllNamed(problems) && problems.every((problem) => ownerOf(problem) !== "");
	return { state: isCovered && isWhole ? "intact" : "unverified" };
}

/** True if a problem concerns one of the call's receipts. */
export function isDamaged({ first, last }: Pick<ListedCall, "first" | "last">, chain: ChainState): boolean {
	return chain.state === "problem" && chain.problem.n !== undefined && chain.problem.n >= first && chain.problem.n <= last;
}

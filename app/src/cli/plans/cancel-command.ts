import type { DeliveryAction, Occurrence, Plan, PlanId } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { pagesOf } from "../../api/pages-of.ts";
import { commandLine } from "../../text/command-line.ts";
import type { Output } from "../parts/output.ts";
import { findNamed } from "./find-occurrence.ts";
import { idInCommand } from "./message-names.ts";
import { pendingOf } from "./plan-cancelling.ts";
import { sayPlan } from "./plan-commands.ts";
import { dueAt, readNow } from "./plan-lines.ts";
import { stillRunning, stillRunningLine } from "./still-running.ts";

/** Cancels the unfinished work and unsent messages of a plan or of one occurrence, and says what was cancelled. */
export async function cancelPlan(output: Output, id: string): Promise<void> {
	const { api } = output;
	const { plan, occurrenceId } = await findNamed(api, id);
	const { planId } = plan;
	const before = await pendingOf(api, plan, occurrenceId);
	const cancelled = await api.cancelPlan({ planId, ...(occurrenceId && { occurrenceId }) });
	const after = await nowOf(api, planId, before.items);
	const ended = endedLines(before.items, after);
	// If not every due time was read, one that was not read may have been cancelled.
	const isNothing = ended.length === 0 && (before.isWhole || cancelled.lastSeq === plan.lastSeq);
	const stopping = await stillRunning(output.api, after);
	const working = after.filter(({ occurrenceId }) => stopping.has(occurrenceId)).map(stillRunningLine);
	await sayPlan(output, cancelled, ...(isNothing ? [NOTHING] : ended), ...working, ...leftLines(after), ...nextLines(cancelled));
}

const NOTHING = "Nothing was cancelled, because no work or message was pending.";

/** These occurrences in their current state. */
async function nowOf(api: Pick<AppApi, "planOccurrences">, planId: PlanId, some: readonly Occurrence[]): Promise<readonly Occurrence[]> {
	const wanted = new Set(some.map(({ occurrenceId }) => occurrenceId));
	const found: Occurrence[] = [];
	if (wanted.size === 0) return found;
	for await (const page of pagesOf((after) => api.planOccurrences({ planId, limit: 200, ...after }))) {
		found.push(...page.items.filter(({ occurrenceId }) => wanted.has(occurrenceId)));
		if (found.length === wanted.size) break;
	}
	return found;
}

/**
 * What the cancel ended, as recorded afterwards, because a message may have been handed over, or work may have ended, before the cancel.
 */
function endedLines(before: readonly Occurrence[], after: readonly Occurrence[]): readonly string[] {
	const isCancelled = ({ status, code }: DeliveryAction) => status === "failed" && code === "CANCELLED";
	const pairs = after.flatMap((now) => before.filter(({ occurrenceId }) => occurrenceId === now.occurrenceId).map((was) => ({ was, now })));
	const works = pairs.filter(({ was, now }) => isWorking(was) && (now.status === "cancelled" || now.delivery.some(isCancelled))).length;
	const messages = pairs.flatMap(({ was, now }) => {
		const known = new Set(was.delivery.filter(isCancelled).map(({ actionId }) => actionId));
		return now.delivery.filter((action) => isCancelled(action) && !known.has(action.actionId));
	}).length;
	return [
		...(works === 0 ? [] : [works === 1 ? "Cancelled the work for 1 due time." : `Cancelled the work for ${works} due times.`]),
		...(messages === 0 ? [] : [messages === 1 ? "Cancelled 1 message." : `Cancelled ${messages} messages.`]),
	];
}

/** True if the work has not ended, or has no messages because it is waiting for the user as a whole. */
function isWorking({ status, delivery }: Occurrence): boolean {
	return status === "due" || status === "running" || delivery.length === 0;
}

/** What cancelling does not end: messages that were handed over. */
function leftLines(after: readonly Occurrence[]): readonly string[] {
	const isSending = after.some(({ delivery }) => delivery.some(({ status }) => status === "sending"));
	const unknown = after.flatMap((one) =>
		one.delivery.filter(({ status }) => status === "unknown").map((action) => idInCommand(one, action)),
	);
	return [
		...(isSending ? ["A message that was already handed over may still arrive."] : []),
		...unknown.map(
			(id) =>
				`XWorkmate doesn't know whether a message arrived. If you know, record it: ${commandLine(`plans settle ${id} --sent`)} or --not-sent`,
		),
	];
}

function nextLines({ planId, nextDueAt }: Plan): readonly string[] {
	if (nextDueAt === undefined) return [];
	return [`The plan is due again ${dueAt(nextDueAt, readNow())}. To stop that: ${commandLine(`plans pause ${planId}`)}`];
}

import { ContractError, type InboxMessage } from "@xworkmate/contracts";
import type { Built, SendOutcome } from "../../ports/channels/channel.ts";
import { timestamp } from "../../ports/clock.ts";
import type { OpenOccurrence, PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";
import type { ActionRow } from "../../ports/plans/plan-store.ts";
import { decideClaim, decideHandOver, decideOutcome, type Patience } from "../domain/decide-delivery.ts";
import type { PlanDecision } from "../plan-log.ts";
import { Admission } from "./actions/admission.ts";
import { type Admitted, examineAction, holdAction } from "./actions/examine-action.ts";
import { readOnItsWaySince } from "./actions/on-its-way.ts";
import { findOpenAction } from "./actions/open-action.ts";
import { bytesGone, keptOutcome, unbuilt } from "./actions/outcome-words.ts";
import { patienceOf } from "./actions/patience.ts";
import type { ExecutorParts } from "./executor-parts.ts";

/** The built message, or why it could not be built. */
type Made = { readonly built: Pick<Built, "payload">; readonly row: InboxMessage } | { readonly outcome: SendOutcome };

/**
 * Writes messages that are rows of the bridge's own inbox. The row is in the commit that claims its message, hands it over and completes
 * it, so it is always known whether the message has left: either both the row and its outcome exist, or neither does. Rows are written in
 * order, and share transactions. Failures are passed to `onError` and leave the message unchanged. Never rejects.
 *
 * @param isOver true once nothing may be written any longer
 * @returns whether nothing has failed
 */
export async function placeRows(parts: ExecutorParts, rows: readonly ActionRow[], isOver: () => boolean): Promise<boolean> {
	const admission = new Admission(parts);
	let areAllWritten = true;
	const failed = (error: unknown) => {
		areAllWritten = false;
		parts.onError(error);
	};
	const ready: (() => Promise<unknown>)[] = [];
	for (const row of rows) {
		try {
			const seen = await examineAction(parts, admission, row);
			if (seen === undefined) continue;
			if ("hold" in seen) ready.push(() => holdAction(parts, row, seen.hold));
			else {
				const made = await make(parts, seen);
				const since = "outcome" in made ? await readOnItsWaySince(parts.store, row) : undefined;
				const decide = (state: PlanState) => placed(parts, seen, made, state, patienceOf(parts, state, since));
				ready.push(() => parts.log.tryChange(row.planId, (state) => (isOver() ? [] : decide(state)), seen.state));
			}
		} catch (error) {
			failed(error);
		}
	}
	await Promise.all(ready.map((write) => write().catch(failed)));
	return areAllWritten;
}

/** Never rejects. */
async function make(parts: ExecutorParts, { channel, state, found: { open, action } }: Admitted): Promise<Made> {
	try {
		parts.resolveRecipient(action.channel, action.recipient);
		const message = await parts.messageOf(open.occurrence, action, state.plan);
		// Bytes that were built before are kept, because the user may have reviewed them.
		const payload = action.payloadHash === undefined ? undefined : await parts.store.payload(action.payloadHash);
		if (action.payloadHash !== undefined && payload === undefined) return { outcome: bytesGone };
		const built = payload === undefined ? await channel.render(message) : { payload };
		const row = channel.place?.(message, built);
		if (row === undefined) throw new Error("the channel has no inbox");
		return { built, row };
	} catch (error) {
		if (!(error instanceof ContractError)) parts.onError(error);
		return { outcome: unbuilt(error) };
	}
}

/** Decides nothing if the plan has changed since the row was built: the next check builds it again. */
function placed(
	{ log, limits }: ExecutorParts,
	{ row: { occurrenceId, actionId }, state: { lastSeq } }: Admitted,
	made: Made,
	state: PlanState,
	patience: Patience,
): PlanDecision {
	const { now } = patience;
	const claim = { epoch: log.epoch, until: timestamp(now + limits.leaseMs) };
	const open = state.lastSeq === lastSeq ? findOpenAction(state, { occurrenceId, actionId })?.open : undefined;
	const events: PlanEvent[] = [];
	/** Adds the event of the next step. Undefined if a step had no event, after which no more steps are added. */
	const then = (before: OpenOccurrence | undefined, decide: (open: OpenOccurrence) => readonly PlanEvent[]): OpenOccurrence | undefined => {
		const [event] = before === undefined ? [] : decide(before);
		if (event === undefined || !("occurrence" in event.body)) return undefined;
		events.push(event);
		return { occurrence: event.body.occurrence, claims: event.claims ?? {} };
	};
	const claimed = then(open, (one) => decideClaim(one, actionId, claim, now));
	const outcome = (one: OpenOccurrence, end: SendOutcome) =>
		decideOutcome(one, actionId, claim.epoch, keptOutcome(end), timestamp(now), patience);
	if ("outcome" in made) {
		const ended = then(claimed, (one) => outcome(one, made.outcome));
		return { events: ended === undefined ? [] : events };
	}
	const { built, row } = made;
	const ids = { payloadHash: built.payload.sha256, providerMessageId: row.messageId };
	const handedOver = then(claimed, (one) => decideHandOver(one, actionId, claim, now, ids));
	const ended = then(handedOver, (one) => outcome(one, { kind: "accepted", proof: "delivered", providerMessageId: row.messageId }));
	return ended === undefined ? { events: [] } : { events, payloads: [built.payload], inbox: [row] };
}

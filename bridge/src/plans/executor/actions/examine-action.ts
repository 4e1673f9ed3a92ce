import type { DeliveryChannel } from "../../../ports/channels/channel.ts";
import type { PlanState } from "../../../ports/plans/plan-event.ts";
import type { ActionRow } from "../../../ports/plans/plan-store.ts";
import { decideHold } from "../../domain/decide-delivery.ts";
import { numberOf } from "../../domain/plan-state.ts";
import { textOf } from "../../messages.ts";
import type { ExecutorParts } from "../executor-parts.ts";
import type { Admission } from "./admission.ts";
import type { Hold } from "./hold.ts";
import { readOnItsWaySince } from "./on-its-way.ts";
import { findOpenAction, type OpenAction, ofOpenAction } from "./open-action.ts";

/** A message that may leave now. */
export interface Admitted {
	readonly row: ActionRow;
	readonly channel: DeliveryChannel;
	/** The plan in the state that was checked. */
	readonly state: PlanState;
	readonly found: OpenAction;
}

/**
 * The message if it may leave, or the reason why it waits for the user. Undefined if nothing is to be sent now, because the message's
 * occurrence is over or the message is left for the next check.
 *
 * @throws the store's error
 */
export async function examineAction(
	parts: ExecutorParts,
	admission: Admission,
	row: ActionRow,
): Promise<Admitted | { readonly hold: Hold } | undefined> {
	const state = await parts.store.find(row.planId);
	const found = state === undefined ? undefined : findOpenAction(state, row);
	if (state === undefined || found === undefined) return undefined;
	const { action, open } = found;
	const reason = (await admission.unavailable(row.channel)) ?? (await tooLate(parts, row, state, found)) ?? withoutText(found);
	const hold = reason ?? (await admission.holds(row, open.occurrence, action));
	if (hold === "later") return undefined;
	if (hold !== undefined) return { hold };
	const channel = parts.channels.get(row.channel);
	return channel && { row, channel, state, found };
}

/** @throws the store's error */
export async function holdAction({ log }: Pick<ExecutorParts, "log">, row: ActionRow, { code, message, fix }: Hold): Promise<void> {
	await log.tryChange(
		row.planId,
		ofOpenAction(row, ({ open }) => decideHold(open, row.actionId, code, { message, fix })),
	);
}

/**
 * Why a message is too late for its recipient to still expect it: it waited too long, or it would be a retry although the plan has come due
 * again. Undefined if it is not too late.
 */
async function tooLate(parts: ExecutorParts, row: ActionRow, state: PlanState, { open, action }: OpenAction): Promise<Hold | undefined> {
	const { clock, limits, store } = parts;
	const { occurrence } = open;
	const later = action.attempts === 0 ? undefined : laterDue(state, occurrence);
	const mayBeOld = Date.parse(occurrence.dueAt) + limits.deliverWithinMs < clock.now();
	if (later === undefined && !mayBeOld) return undefined;
	const since = await readOnItsWaySince(store, row);
	if (since === undefined) return undefined;
	const isOld = Date.parse(since) + limits.deliverWithinMs < clock.now();
	if (!isOld && (later === undefined || later < Date.parse(since))) return undefined;
	const why = isOld
		? "Sending was delayed for so long that this message may be out of date."
		: "The plan came due again before this message could be sent.";
	return { code: "TOO_LATE", message: why, fix: "Send the message if it is still useful, or discard it." };
}

/** The scheduled time of a later occurrence. */
function laterDue({ newest }: PlanState, occurrence: OpenAction["open"]["occurrence"]): number | undefined {
	if (newest === undefined || newest.kind !== "scheduled" || occurrence.kind !== "scheduled") return undefined;
	return numberOf(newest) > numberOf(occurrence) ? Date.parse(newest.dueAt) : undefined;
}

function withoutText({ open, action }: OpenAction): Hold | undefined {
	if (textOf(open.occurrence, action) !== undefined) return undefined;
	return {
		code: "GATE_MISSING",
		message: "This message has no text.",
		fix: "Write the text yourself, run the work again, or discard the message.",
	};
}

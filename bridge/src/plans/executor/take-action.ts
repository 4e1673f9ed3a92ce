import type { DeliveryChannel } from "../../ports/channel.ts";
import { timestamp } from "../../ports/clock.ts";
import type { PlanEvent, PlanState } from "../../ports/plan-event.ts";
import type { ActionRow } from "../../ports/plan-store.ts";
import { decideClaim, decideHold } from "../domain/decide-delivery.ts";
import { numberOf } from "../domain/plan-state.ts";
import { Attempt } from "./attempt.ts";
import type { AttemptParts } from "./executor-parts.ts";
import type { Hold } from "./hold.ts";
import { readOnItsWaySince } from "./on-its-way.ts";
import { findOpenAction, type OpenAction, ofOpenAction } from "./open-action.ts";
import type { Place, SendLimits } from "./send-limits.ts";

/** A claimed message, and what ends it. */
export interface TakenAction {
	readonly attempt: Attempt;
	readonly found: OpenAction;
	readonly place: Place;
}

/**
 * Claims a message, or holds it for a person. Undefined if there is nothing to send: it is held, or another was faster.
 *
 * @throws the store's error: nothing has been claimed
 */
export async function takeAction(parts: AttemptParts, limits: SendLimits, row: ActionRow): Promise<TakenAction | undefined> {
	const state = await parts.store.find(row.planId);
	const found = state === undefined ? undefined : findOpenAction(state, row);
	if (state === undefined || found === undefined) return undefined;
	const channel = parts.channels.get(row.channel);
	const reason = (await unavailable(channel, row)) ?? (await tooLate(parts, row, state, found)) ?? withoutText(found);
	if (channel === undefined || reason !== undefined) return hold(parts, row, reason ?? noChannel(row));
	const admission = await limits.admit(row, found.open.occurrence, found.action);
	if ("hold" in admission) return hold(parts, row, admission.hold);
	const { place } = admission;
	try {
		const taken = await claim(parts, row, channel, place);
		if (taken === undefined) place[Symbol.dispose]();
		return taken;
	} catch (error) {
		place[Symbol.dispose]();
		throw error;
	}
}

async function claim(parts: AttemptParts, row: ActionRow, channel: DeliveryChannel, place: Place): Promise<TakenAction | undefined> {
	const { log, clock, limits } = parts;
	const now = clock.now();
	const lease = { epoch: log.epoch, until: timestamp(now + limits.leaseMs) };
	const decide = ofOpenAction(row, ({ open }): readonly PlanEvent[] => decideClaim(open, row.actionId, lease, now));
	const { state, events } = await log.tryChange(row.planId, decide);
	const found = findOpenAction(state, row);
	if (events.length === 0 || found === undefined) return undefined;
	const attempt = new Attempt(parts, row, { channel, claim: lease, n: found.action.attempts, place });
	return { attempt, found, place };
}

async function hold({ log }: AttemptParts, row: ActionRow, { code, message, fix }: Hold): Promise<undefined> {
	await log.tryChange(
		row.planId,
		ofOpenAction(row, ({ open }) => decideHold(open, row.actionId, code, { message, fix })),
	);
}

async function unavailable(channel: DeliveryChannel | undefined, row: ActionRow): Promise<Hold | undefined> {
	if (channel === undefined) return noChannel(row);
	const problem = await channel.availability();
	return problem && { code: "CHANNEL_UNAVAILABLE", message: problem.message, fix: problem.fix };
}

function noChannel({ channel }: ActionRow): Hold {
	return {
		code: "CHANNEL_UNAVAILABLE",
		message: `This bridge does not send by ${channel}.`,
		fix: "Discard it, or have the plan send it another way.",
	};
}

/** A message that lay for a day, or a retry whose plan has come due again meanwhile, would surprise who gets it. */
async function tooLate(parts: AttemptParts, row: ActionRow, state: PlanState, { open, action }: OpenAction): Promise<Hold | undefined> {
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
		? "It could not be sent for so long that it may be out of date."
		: "The plan has come due again before it could be sent.";
	return { code: "TOO_LATE", message: why, fix: "Send it if it is still of use, or discard it." };
}

/** The time of a later occurrence by the schedule. */
function laterDue({ newest }: PlanState, occurrence: OpenAction["open"]["occurrence"]): number | undefined {
	if (newest === undefined || newest.kind !== "scheduled" || occurrence.kind !== "scheduled") return undefined;
	return numberOf(newest) > numberOf(occurrence) ? Date.parse(newest.dueAt) : undefined;
}

function withoutText({ open, action }: OpenAction): Hold | undefined {
	if (action.content !== undefined || open.occurrence.deliverable !== undefined) return undefined;
	return { code: "GATE_MISSING", message: "There is no text to send.", fix: "Write it, do the work again, or discard it." };
}

import { ContractError, type DeliveryAction, type MethodParams, type Occurrence } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { isDroppedInDoubt } from "@xworkmate/contracts/is-dropped";
import { timestamp } from "../../ports/clock.ts";
import type { PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";
import type { PlanStore } from "../../ports/plans/plan-store.ts";
import { decideHold } from "../domain/decide-delivery.ts";
import { type RecipientAgain, resent } from "../domain/decide-occurrence.ts";
import { heldAgain } from "../domain/held-again.ts";
import { applyPlanEvent } from "../domain/plan-state.ts";
import { findOccurrence, otherRequest, refuseDeleted } from "../find-plan.ts";
import { textOf } from "../messages.ts";
import type { PlanParts } from "../plan-parts.ts";

type Resend = MethodParams<"xworkmate.plans.resend">;

const PAGE = 200;

/** Sends messages of an occurrence again, as a new occurrence. */
export async function resend(parts: PlanParts, params: Resend): Promise<Occurrence> {
	const { store, log, clock, queue } = parts;
	const { occurrenceId, requestId } = params;
	const recipientAgain = recipientOf(params);
	const { planId } = await findOccurrence(store, occurrenceId);
	return queue.add(planId, async () => {
		const known = await store.findOccurrenceByRequest(planId, requestId);
		if (known !== undefined) {
			if (known.resends !== occurrenceId) throw otherRequest();
			return known;
		}
		const earlier = await findOccurrence(store, occurrenceId);
		const actions = await sendable(parts, earlier, params, recipientAgain);
		const { state } = await log.tryChange(planId, (now) => {
			refuseDeleted(now);
			const made = resent(now, earlier, actions, timestamp(clock.now()), requestId, recipientAgain);
			return made.length === 0 ? made : [...made, ...held(now, made, earlier, actions, parts)];
		});
		if (state.newest === undefined) throw new Error("nothing was sent again");
		return state.newest;
	});
}

/** @throws ContractError INVALID_PARAMS if both a contact and the owner are named */
function recipientOf({ recipient, toOwner }: Resend): RecipientAgain {
	if (toOwner === undefined) return (before) => recipient ?? before;
	if (recipient === undefined) return () => undefined;
	throw new ContractError("INVALID_PARAMS", { detail: "A message can't go to both a contact (recipient) and you (toOwner)." });
}

/** @throws ContractError NOT_FOUND, NOTHING_TO_SEND, PAYLOAD_CHANGED, RECIPIENT_REQUIRED, RECIPIENT_UNKNOWN, CHANNEL_UNAVAILABLE, INVALID_PARAMS */
async function sendable(
	{ store, resolveRecipient }: PlanParts,
	earlier: Occurrence,
	{ actionIds, address, allowDuplicate }: Resend,
	recipientAgain: RecipientAgain,
): Promise<readonly DeliveryAction[]> {
	const repeats = allowDuplicate === true ? [] : await repeatsOf(store, earlier);
	return [...new Set(actionIds)].map((actionId) => {
		const action = earlier.delivery.find((one) => one.actionId === actionId);
		if (action === undefined) throw new ContractError("NOT_FOUND", { detail: `${earlier.occurrenceId} has no message ${actionId}.` });
		const to = recipientAgain(action.recipient);
		const now = resolveRecipient(action.channel, to);
		if (address !== undefined && now.address !== address)
			throw new ContractError("PAYLOAD_CHANGED", { detail: "It would now go to another address." });
		const problem = resendProblem(earlier, action, allowDuplicate === true, to, repeats);
		if (problem !== undefined) throw new ContractError("NOTHING_TO_SEND", { detail: `${actionId} ${problem.detail}`, fix: problem.fix });
		return action;
	});
}

function resendProblem(
	earlier: Occurrence,
	action: DeliveryAction,
	allowDuplicate: boolean,
	to: string | undefined,
	repeats: readonly DeliveryAction[],
): { readonly detail: string; readonly fix: string } | undefined {
	const { status } = action;
	const again = "To send the message again anyway, set allowDuplicate to true.";
	if (status === "pending" || status === "sending")
		return { detail: "is queued or being sent", fix: "Wait until the message has been sent, or cancel it." };
	if (status === "needs_review") return { detail: "is waiting for a decision", fix: "Review the message first." };
	if (textOf(earlier, action) === undefined)
		return {
			detail: "has no text",
			fix: `Run the plan again: \`npm run -s xworkmate -- plans run ${earlier.planId}\``,
		};
	if (allowDuplicate) return undefined;
	// A message recorded as failed may have arrived after all, according to a later report.
	if (hasArrived(action)) return { detail: "has arrived", fix: again };
	if (status === "unknown") return { detail: "may have arrived", fix: `Record whether it did. ${again}` };
	// This also applies if the message now goes to another recipient, because it may have been sent to that one as well.
	if (action.mayHaveBeenSent === true || isDroppedInDoubt(action))
		return { detail: "may have been sent after the restored backup was made", fix: `Check whether it has arrived. ${again}` };
	const isRepeated = repeats.some((one) => one.channel === action.channel && one.recipient === to && one.content === action.content);
	return isRepeated ? { detail: "has already been resent, or a resend is still pending", fix: again } : undefined;
}

/** The messages of earlier resends of the occurrence, except those that failed and did not arrive. */
async function repeatsOf(store: PlanStore, { planId, occurrenceId }: Occurrence): Promise<readonly DeliveryAction[]> {
	const { items } = await store.occurrences(planId, PAGE);
	return items
		.filter(({ resends }) => resends === occurrenceId)
		.flatMap(({ delivery }) => delivery.filter((action) => action.status !== "failed" || hasArrived(action)));
}

/** Holds the messages that the user has to review before they are sent. `actions`: the earlier messages, in the order of the new ones. */
function held(
	state: PlanState,
	made: readonly PlanEvent[],
	earlier: Occurrence,
	actions: readonly DeliveryAction[],
	{ channels }: PlanParts,
): readonly PlanEvent[] {
	let next = made.reduce((now, event) => applyPlanEvent(now, { seq: now.lastSeq + 1, event }), state);
	const events: PlanEvent[] = [];
	const occurrenceId = next.newest?.occurrenceId;
	const find = () => next.open.find(({ occurrence }) => occurrence.occurrenceId === occurrenceId);
	for (const [index, { actionId, channel }] of (next.newest?.delivery ?? []).entries()) {
		const open = find();
		const action = actions[index];
		if (open === undefined || action === undefined) continue;
		const why = heldAgain(earlier, action, state.plan, channels.get(channel)?.lint(textOf(earlier, action) ?? "") ?? []);
		if (why === undefined) continue;
		const { code, ...words } = why;
		const decided = decideHold(open, actionId, code, words);
		for (const event of decided) next = applyPlanEvent(next, { seq: next.lastSeq + 1, event });
		events.push(...decided);
	}
	return events;
}

import type { DeliveryAction, Occurrence, Plan } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import type { AppApi } from "../../api/app-api.ts";
import { findNamed, occurrenceOf } from "./find-occurrence.ts";

/** The messages that an id names, in their current state. */
export interface NamedMessages {
	readonly plan: Plan;
	readonly occurrence: Occurrence;
	readonly actions: readonly DeliveryAction[];
}

/**
 * The messages that an id names. For the id of a plan, those of the newest of its last 100 occurrences that has a preferred message,
 * otherwise those of its newest occurrence. Undefined if the plan has no occurrence.
 */
export async function namedMessages(
	api: Pick<AppApi, "plan" | "planOccurrences">,
	id: string,
	preferred: (action: DeliveryAction) => boolean,
): Promise<NamedMessages | undefined> {
	const { plan, occurrenceId, actionId } = await findNamed(api, id);
	const occurrence = occurrenceId === undefined ? await newestOf(api, plan, preferred) : await occurrenceOf(api, plan, occurrenceId);
	if (occurrence === undefined) return undefined;
	const { delivery } = occurrence;
	return { plan, occurrence, actions: actionId === undefined ? delivery : delivery.filter((action) => action.actionId === actionId) };
}

async function newestOf(
	api: Pick<AppApi, "planOccurrences">,
	{ planId }: Plan,
	preferred: (action: DeliveryAction) => boolean,
): Promise<Occurrence | undefined> {
	const { items } = await api.planOccurrences({ planId, limit: 100 });
	return items.find(({ delivery }) => delivery.some(preferred)) ?? items[0];
}

export type Outcome = "sent" | "not_sent";

/**
 * Whether this outcome is recorded for a message. If the user recorded it as not sent and it was delivered after all, both outcomes are.
 */
export function isRecorded(action: DeliveryAction, outcome: Outcome): boolean {
	if (outcome === "sent") return hasArrived(action);
	return action.status === "failed" && (!hasArrived(action) || (action.settledBy !== undefined && action.code === "NOT_SENT"));
}

type Decision = "send" | "edit" | "discard";

/**
 * Words for a decision that had already been made about all of these messages; undefined if it had not. `payload`: the first digits of the
 * hash of what was reviewed.
 */
export function alreadyWords(
	decision: Decision,
	occurrence: Pick<Occurrence, "status">,
	actions: readonly DeliveryAction[],
	payload: string | undefined,
): string | undefined {
	const [first, ...others] = actions.map((action) => alreadyOne(decision, occurrence, action, payload));
	return others.includes(undefined) ? undefined : first;
}

function alreadyOne(
	decision: Decision,
	{ status }: Pick<Occurrence, "status">,
	action: DeliveryAction,
	payload: string | undefined,
): string | undefined {
	if (decision === "discard") return action.code === "DISCARDED" && !hasArrived(action) ? "Already discarded." : undefined;
	const isSame = payload === undefined ? decision === "send" : action.payloadHash?.startsWith(payload) === true;
	if (!isSame) return undefined;
	if (hasArrived(action)) return "Already sent.";
	// No message is sent before the work has ended.
	return status === "delivering" && (action.status === "pending" || action.status === "sending") ? "Already being sent." : undefined;
}

import { type ActionId, ContractError, OccurrenceId } from "@xworkmate/contracts";
import type { PlanFiles } from "../../ports/plans/plan-service.ts";
import type { PlanStore } from "../../ports/plans/plan-store.ts";
import { findOccurrence } from "../find-plan.ts";

/** Reads the deliverables of occurrences and the built bytes of messages from the store. */
export function planFiles(store: Pick<PlanStore, "findOccurrence" | "payload">): PlanFiles {
	return {
		deliverable: async (occurrenceId) => {
			const { deliverable } = await findOccurrence(store, occurrenceId);
			if (deliverable === undefined)
				throw new ContractError("NOT_FOUND", { detail: `No deliverable has been built for the due time ${occurrenceId}.` });
			return deliverable;
		},
		payload: async (actionId) => {
			const occurrence = await findOccurrence(store, occurrenceOf(actionId));
			const hash = occurrence.delivery.find((action) => action.actionId === actionId)?.payloadHash;
			const payload = hash === undefined ? undefined : await store.payload(hash);
			if (payload === undefined) throw new ContractError("NOT_FOUND", { detail: `No message has been built for ${actionId}.` });
			return payload;
		},
	};
}

/**
 * The id of the occurrence that an action belongs to. An action's id is its occurrence's id, followed by a number.
 * @throws ContractError NOT_FOUND
 */
function occurrenceOf(actionId: ActionId): OccurrenceId {
	const parsed = OccurrenceId.safeParse(actionId.slice(0, Math.max(actionId.lastIndexOf("-"), 0)));
	if (!parsed.success) throw new ContractError("NOT_FOUND");
	return parsed.data;
}

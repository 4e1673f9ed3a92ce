import { ContractError, type Occurrence, type OccurrenceId, type PlanId } from "@xworkmate/contracts";
import type { OpenOccurrence, PlanState } from "../ports/plans/plan-event.ts";
import type { PlanStore } from "../ports/plans/plan-store.ts";

/** @throws ContractError NOT_FOUND */
export async function findPlan(store: Pick<PlanStore, "find">, planId: PlanId): Promise<PlanState> {
	const state = await store.find(planId);
	if (state === undefined) throw noPlan(planId);
	return state;
}

/** @throws ContractError NOT_FOUND */
export async function findOccurrence(store: Pick<PlanStore, "findOccurrence">, occurrenceId: OccurrenceId): Promise<Occurrence> {
	const occurrence = await store.findOccurrence(occurrenceId);
	if (occurrence === undefined) throw new ContractError("NOT_FOUND", { detail: `There is no due time with the id ${occurrenceId}.` });
	return occurrence;
}

/** The occurrence with this id; undefined if it is over or does not exist. */
export function openOccurrence(state: PlanState, occurrenceId: OccurrenceId): OpenOccurrence | undefined {
	return state.open.find(({ occurrence }) => occurrence.occurrenceId === occurrenceId);
}

/** @throws ContractError NOT_FOUND: a deleted plan is only a record, and nothing more is done for it */
export function refuseDeleted({ plan }: PlanState): void {
	if (plan.status !== "deleted") return;
	throw new ContractError("NOT_FOUND", { detail: `The plan ${plan.planId} was deleted.`, fix: "Create another plan." });
}

export function noPlan(planId: PlanId): ContractError {
	return new ContractError("NOT_FOUND", { detail: `There is no plan ${planId}.` });
}

/** The error for a request id that was already used for something else. */
export function otherRequest(): ContractError {
	return new ContractError("PLAN_CONFLICT", {
		detail: "This requestId was used for a different request.",
		fix: "Use a new requestId.",
	});
}

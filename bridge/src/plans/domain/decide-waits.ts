import type { RunWait, TurnId } from "@xworkmate/contracts";
import type { OpenOccurrence, PlanEvent } from "../../ports/plans/plan-event.ts";

/**
 * Records why the bridge could not accept the work as a run. Empty if the last attempt was refused with the same code, so that attempts that
 * go on failing do not fill the log.
 */
export function decideWaits({ occurrence, claims }: OpenOccurrence, turnId: TurnId, waits: RunWait): readonly PlanEvent[] {
	const index = occurrence.runs.findIndex((run) => run.turnId === turnId);
	const run = occurrence.runs[index];
	if (occurrence.status !== "running" || run === undefined || run.runId !== undefined || run.waits?.code === waits.code) return [];
	const next = { ...occurrence, runs: occurrence.runs.with(index, { ...run, waits }) };
	return [{ body: { kind: "task:occurrence", occurrence: next, turnId, threadId: run.threadId }, claims }];
}

import type { LintFinding, Occurrence, PlanRun, ThreadId, TurnId } from "@xworkmate/contracts";
import type { OpenOccurrence, PlanEvent } from "../../ports/plans/plan-event.ts";
import { begun, bump, type WorkResult } from "./decide-occurrence.ts";

/** Does the work again because its run was cut off. Empty if that run is not the current one. */
export function decideAgain(open: OpenOccurrence, turnId: TurnId, run: WorkResult["run"], threadId: ThreadId): readonly PlanEvent[] {
	const occurrence = runEnded(open.occurrence, turnId, run);
	return occurrence === undefined ? [] : begun({ ...open, occurrence }, threadId, occurrence.runs.at(-1)?.rewrites);
}

/** Records the answer, and asks for a better message in another turn. `findings`: by actionId. */
export function decideMend(
	open: OpenOccurrence,
	turnId: TurnId,
	{ run, output, gate, findings = {} }: WorkResult,
	threadId: ThreadId,
): readonly PlanEvent[] {
	const occurrence = runEnded(open.occurrence, turnId, run);
	if (occurrence === undefined) return [];
	const delivery = occurrence.delivery.map((action) => {
		const lint: readonly LintFinding[] = findings[action.actionId] ?? [];
		return lint.length === 0 ? action : { ...action, lint: lint.slice(0, 50) };
	});
	const told = bump({ ...occurrence, delivery });
	const { work } = told;
	const result: PlanEvent = {
		body: { kind: "task:result", occurrence: told, output, work, ...(gate === undefined ? {} : { gate }) },
		claims: open.claims,
	};
	return [result, ...begun({ ...open, occurrence: told }, threadId, told.runs.at(-1)?.runId)];
}

/** True while the agent is being asked for a better message: until then, the actions record what is wrong with the last one. */
export function isMending({ status, delivery }: Pick<Occurrence, "status" | "delivery">): boolean {
	return status === "running" && delivery.some((action) => action.status === "pending" && action.lint !== undefined);
}

function runEnded(occurrence: Occurrence, turnId: TurnId, end: WorkResult["run"]): Occurrence | undefined {
	const index = occurrence.runs.findIndex((run) => run.turnId === turnId);
	const run: PlanRun | undefined = occurrence.runs[index];
	if (occurrence.status !== "running" || run === undefined || run.status !== undefined) return undefined;
	return { ...occurrence, runs: occurrence.runs.with(index, { ...run, ...end }) };
}

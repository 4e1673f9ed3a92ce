import type { PlanRun, RunWait, TurnId } from "@xworkmate/contracts";
import type { OpenOccurrence, PlanEvent } from "../../ports/plans/plan-event.ts";

/**
 * How long a recorded reason is kept before another one replaces it. The work is submitted again whenever its plan changes, so without this
 * time, reasons that alternate would be recorded, and the work submitted, without a pause.
 */
const KEPT_MS = 60_000;

/**
 * Records why the bridge could not accept the work as a run. Empty if the recorded reason is the same or was recorded less than a minute
 * ago, so that attempts that go on failing do not fill the log. A reason is the same only with the same message, because one code may have
 * several causes: a gateway that does not respond and one whose plugin is turned off are both unavailable.
 */
export function decideWaits({ occurrence, claims }: OpenOccurrence, turnId: TurnId, waits: RunWait): readonly PlanEvent[] {
	const index = occurrence.runs.findIndex((run) => run.turnId === turnId);
	const run = occurrence.runs[index];
	if (occurrence.status !== "running" || run === undefined || run.runId !== undefined || isKept(run.waits, waits)) return [];
	const next = { ...occurrence, runs: occurrence.runs.with(index, { ...run, waits }) };
	return [{ body: { kind: "task:occurrence", occurrence: next, turnId, threadId: run.threadId }, claims }];
}

function isKept(recorded: RunWait | undefined, { code, message, since }: RunWait): boolean {
	if (recorded === undefined) return false;
	const isSame = recorded.code === code && recorded.message === message;
	return isSame || Math.abs(Date.parse(since) - Date.parse(recorded.since)) < KEPT_MS;
}

/** The runs of an occurrence whose work is no longer submitted. */
export function withoutWaits(runs: readonly PlanRun[]): PlanRun[] {
	return runs.map(({ waits: _been, ...run }) => run);
}

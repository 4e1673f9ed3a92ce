import { omitUndefined, type PlanType } from "@xworkmate/contracts";
import { timestamp } from "../ports/clock.ts";
import type { ScheduleView } from "./domain/decide-plan.ts";
import type { NextTime } from "./missed-times.ts";
import { cronJob } from "./schedule/cron-job.ts";
import { checkSchedule, nextTime, type ScheduleTerms } from "./schedule/schedule.ts";
import { scheduleWords } from "./schedule/schedule-words.ts";

interface Scheduled {
	readonly type: PlanType;
	readonly timezone: string;
	readonly scheduledFor?: string | undefined;
	readonly cron?: string | undefined;
}

/** The part of a plan that says when it is due. */
export function scheduleTerms({ type, scheduledFor, cron, timezone }: Scheduled): ScheduleTerms {
	return { type, timezone, ...omitUndefined({ scheduledFor, cron }) };
}

/**
 * The first due time after now, and the schedule in words.
 * @throws ContractError SCHEDULE_INVALID
 */
export function newSchedule(terms: ScheduleTerms, now: number): ScheduleView {
	checkSchedule(terms, now);
	return { nextDueAt: terms.type === "immediate" ? undefined : nextDueAt(terms, now), words: scheduleWords(terms) };
}

/** The first due time after a given one. */
export function nextDueAt(terms: ScheduleTerms, after: number): string | undefined {
	const next = nextTime(terms, after);
	return next === undefined ? undefined : timestamp(next);
}

/** The times of a recurring schedule; any other schedule has no time after its first. Parses the expression only once. */
export function timesOf({ type, cron, timezone }: ScheduleTerms): NextTime {
	if (type !== "recurring" || cron === undefined) return () => undefined;
	const job = cronJob(cron, timezone);
	return (after) => job.next(after);
}

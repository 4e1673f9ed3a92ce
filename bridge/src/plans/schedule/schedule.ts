import { ContractError, isTimeZone, type PlanType, visibleWithin } from "@xworkmate/contracts";
import { clockNote } from "./clock-note.ts";
import { CronError, type CronJob, cronJob } from "./cron-job.ts";

const MOST_YEARS = 5;

/** When a plan is due. */
export interface ScheduleTerms {
	readonly type: PlanType;
	/** Only for `scheduled`. */
	readonly scheduledFor?: string | undefined;
	/** Only for `recurring`. */
	readonly cron?: string | undefined;
	/** The IANA name of the time zone that `cron` is read in, and that a single time is shown in. */
	readonly timezone: string;
}

/** A time at which a plan is due. */
export interface DueTime {
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** How a clock change affects this time, in a sentence. */
	readonly note?: string;
}

/**
 * Refuses a schedule that is never due, or that the user can't have meant. `now`: milliseconds since the epoch.
 * @throws ContractError SCHEDULE_INVALID
 */
export function checkSchedule(terms: ScheduleTerms, now: number): void {
	if (!isTimeZone(terms.timezone))
		throw invalid(`${visibleWithin(terms.timezone, 60)} is not a known time zone.`, "Use an IANA name such as Europe/Berlin, or UTC.");
	if (terms.type !== "recurring" && terms.cron !== undefined)
		throw invalid(
			`A plan of type ${terms.type} can't have a cron expression.`,
			"Change its type to recurring, or leave out the cron expression.",
		);
	if (terms.type !== "scheduled" && terms.scheduledFor !== undefined)
		throw invalid(`A plan of type ${terms.type} can't have scheduledFor.`, "Change its type to scheduled, or leave out scheduledFor.");
	if (terms.type === "scheduled") checkTime(terms.scheduledFor, now);
	if (terms.type === "recurring") checkCron(terms, now);
}

/** The first due time of a plan after an instant, both in milliseconds since the epoch; undefined if there is none. */
export function nextTime(terms: ScheduleTerms, after: number): number | undefined {
	if (terms.type === "recurring") return terms.cron === undefined ? undefined : cronJob(terms.cron, terms.timezone).next(after);
	const at = terms.type === "scheduled" && terms.scheduledFor !== undefined ? Date.parse(terms.scheduledFor) : undefined;
	return at !== undefined && at > after ? at : undefined;
}

/** The next due times, at most `count`, with a note on each time that a clock change affects. */
export function nextTimes(terms: ScheduleTerms, after: number, count: number): DueTime[] {
	if (terms.type !== "recurring" || terms.cron === undefined) {
		const at = nextTime(terms, after);
		return at === undefined || count < 1 ? [] : [{ at }];
	}
	const job = cronJob(terms.cron, terms.timezone);
	const times: DueTime[] = [];
	for (let at = job.next(after); at !== undefined && times.length < count; at = job.next(at)) {
		const note = job.isFixed ? clockNote(terms.cron, terms.timezone, at) : undefined;
		times.push(note === undefined ? { at } : { at, note });
	}
	return times;
}

function checkTime(scheduledFor: string | undefined, now: number): void {
	const at = scheduledFor === undefined ? Number.NaN : Date.parse(scheduledFor);
	if (Number.isNaN(at)) throw invalid("A scheduled plan needs a time.", "Set scheduledFor to a time, such as 2027-02-01T09:00:00Z.");
	if (at <= now) throw invalid("The time is in the past.", "Choose a time in the future, or have the plan start right away.");
	if (at > latest(now)) throw invalid(`The time is more than ${MOST_YEARS} years away.`, "Choose an earlier time.");
}

function checkCron({ cron, timezone }: ScheduleTerms, now: number): void {
	if (cron === undefined) throw invalid("A recurring plan needs a cron expression.", 'Use five fields, such as "0 9 * * 1-5".');
	const at = jobOf(cron, timezone).next(now);
	if (at === undefined)
		throw invalid("This cron expression never matches a date.", "Check the day and the month: they may name a date that does not exist.");
	if (at > latest(now))
		throw invalid(`This cron expression has no due time in the next ${MOST_YEARS} years.`, "Use an expression that is due sooner.");
}

function jobOf(cron: string, timezone: string): CronJob {
	try {
		return cronJob(cron, timezone);
	} catch (error) {
		if (!(error instanceof CronError)) throw error;
		const fix = 'Use five fields (minute, hour, day, month, weekday), such as "0 9 * * 1-5", or a nickname such as @daily.';
		throw new ContractError("SCHEDULE_INVALID", { detail: visibleWithin(error.message, 300), fix, cause: error });
	}
}

/** The latest time for which a plan can be scheduled. */
function latest(now: number): number {
	const date = new Date(now);
	return date.setUTCFullYear(date.getUTCFullYear() + MOST_YEARS);
}

function invalid(detail: string, fix: string): ContractError {
	return new ContractError("SCHEDULE_INVALID", { detail, fix });
}

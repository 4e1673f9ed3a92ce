import { Cron } from "croner";
import { type CronFields, cronFields, runsOn, valuesOf } from "./cron-fields.ts";

/** An expression that is invalid. The message says why. */
export class CronError extends Error {
	override readonly name = "CronError";
}

/** The times of an expression in a time zone. */
export interface CronJob {
	/** The first time after an instant, in milliseconds since the epoch; undefined if there is none. */
	next(after: number): number | undefined;
	/** True if the expression names hours of the day. Each of its times then comes once a day, even if the clocks change. */
	readonly isFixed: boolean;
}

/**
 * Reads an expression.
 * @throws CronError
 */
export function cronJob(cron: string, timezone: string): CronJob {
	const fields = cronFields(cron);
	if (fields === undefined) throw new CronError("A cron expression has five fields: minute, hour, day, month, weekday.");
	const isFixed = !runsOn(fields.hour);
	const job = read(isFixed ? withFixedMinutes(fields) : fields, timezone);
	return { next: (after) => job.nextRun(new Date(after))?.getTime(), isFixed };
}

function read({ minute, hour, day, month, weekday }: CronFields, timezone: string): Cron {
	try {
		const options = { timezone, paused: true, mode: "5-part", fixedTimeRule: "no-wildcard" } as const;
		return new Cron([minute, hour, day, month, weekday].join(" "), options);
	} catch (error) {
		if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
		throw new CronError(error.message.replace(/^CronPattern: /, ""), { cause: error });
	}
}

/**
 * Replaces minutes that are `*` or have a step with a list of their values. With such minutes, croner skips a day on which the clocks skip
 * the named hour.
 */
function withFixedMinutes(fields: CronFields): CronFields {
	const minutes = runsOn(fields.minute) ? valuesOf(fields.minute, "minute") : undefined;
	return minutes === undefined ? fields : { ...fields, minute: minutes.join(",") };
}

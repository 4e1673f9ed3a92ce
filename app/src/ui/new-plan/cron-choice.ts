import type { Every } from "./plan-draft.ts";

/** A schedule as the fields of the form show it. */
export interface RepeatFields {
	readonly every: Every;
	/** `09:00` */
	readonly time: string;
	readonly days?: readonly number[];
	readonly dayOfMonth?: number;
}

const NUMBER = /^\d{1,2}$/;
const DAYS = /^[0-6](?:,[0-6]){0,6}$/;

/** Converts a cron expression to the choices of the form. An expression that matches none of them stays an expression. */
export function repeatOf(cron: string): RepeatFields {
	const expression: RepeatFields = { every: "cron", time: "09:00" };
	const [minute = "", hour = "", date = "", month = "", days = "", more] = cron.trim().split(/\s+/);
	if (more !== undefined || month !== "*" || !isBelow(minute, 60)) return expression;
	if (hour === "*") return date === "*" && days === "*" ? { every: "hour", time: `00:${minute.padStart(2, "0")}` } : expression;
	if (!isBelow(hour, 24)) return expression;
	const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
	if (date !== "*")
		return days === "*" && isBelow(date, 32) && date !== "0" ? { every: "month", time, dayOfMonth: Number(date) } : expression;
	if (days === "*") return { every: "day", time };
	if (days === "1-5") return { every: "weekday", time };
	return DAYS.test(days) ? { every: "week", time, days: [...new Set(days.split(",").map(Number))] } : expression;
}

function isBelow(text: string, end: number): boolean {
	return NUMBER.test(text) && Number(text) < end;
}

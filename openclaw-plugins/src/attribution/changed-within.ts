import type { BigIntStats } from "node:fs";

/** Disks and clocks differ by a little. */
const SLACK_MS = 2000;

export type Times = Pick<BigIntStats, "ctimeMs" | "birthtimeMs">;

export interface Span {
	readonly preparedAt: string;
	readonly endedAt?: string | undefined;
}

/** Whether a file changed from the preparation of a run on, by the time that a program cannot set. */
export function changedSince(stat: Times, { preparedAt }: Span): boolean {
	return Number(stat.ctimeMs) >= Date.parse(preparedAt) - SLACK_MS;
}

/** Whether it changed by the run's end, too. */
export function changedWithin(stat: Times, span: Span): boolean {
	return changedSince(stat, span) && Number(stat.ctimeMs) <= Date.parse(span.endedAt ?? span.preparedAt) + SLACK_MS;
}

/**
 * Whether it was there before the run: then a change may be no more than a touch. A file system that does not keep
 * the time of birth says zero, or the time of the last change.
 */
export function isOlder(stat: Times, { preparedAt }: Span): boolean {
	const born = Number(stat.birthtimeMs);
	return born > 0 && born < Date.parse(preparedAt) - SLACK_MS;
}

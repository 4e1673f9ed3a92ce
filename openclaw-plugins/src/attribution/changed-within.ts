import type { BigIntStats } from "node:fs";

/** Tolerance for differences between disks and clocks. */
const SLACK_MS = 2000;

export type Times = Pick<BigIntStats, "ctimeMs" | "birthtimeMs">;

export interface Span {
	readonly preparedAt: string;
	readonly endedAt?: string | undefined;
}

/** Whether a file changed since the run was prepared, judging by ctime, which a program cannot set. */
export function changedSince(stat: Times, { preparedAt }: Span): boolean {
	return Number(stat.ctimeMs) >= Date.parse(preparedAt) - SLACK_MS;
}

/** Whether a file changed since the run was prepared, and not after the run's end. */
export function changedWithin(stat: Times, span: Span): boolean {
	return changedSince(stat, span) && Number(stat.ctimeMs) <= Date.parse(span.endedAt ?? span.preparedAt) + SLACK_MS;
}

/**
 * Whether the file is known to have existed before the run, so that a change may be no more than a new timestamp. A file system
 * without birth times reports zero, or the time of the last change.
 */
export function isOlder(stat: Times, { preparedAt }: Span): boolean {
	const born = Number(stat.birthtimeMs);
	return born > 0 && born < Date.parse(preparedAt) - SLACK_MS;
}

/**
 * Why a due time was missed. The record of its occurrence shows whether the plan was paused. Otherwise, the record doesn't show why
 * XWorkmate started too late: XWorkmate may not have been running, its computer may have been asleep, its disk full, or its clock set
 * forward.
 */
export const missedWords = {
	paused: "Missed while the plan was paused",
	late: "Missed because XWorkmate couldn’t start it in time",
} as const;

/**
 * Why a due time was missed. The record of its occurrence shows whether that was a pause. If not, it doesn't show why XWorkmate started too
 * late: it may not have been running, its computer asleep, its disk full, or the clock set forward.
 */
export const missedWords = {
	paused: "Missed while the plan was paused",
	late: "Missed because XWorkmate couldn’t start it in time",
} as const;

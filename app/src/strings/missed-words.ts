/** Why a due time was missed. The record of its occurrence shows which reason applies. */
export const missedWords = {
	paused: "Missed while the plan was paused",
	off: "Missed while XWorkmate wasn’t running or its computer was asleep",
} as const;

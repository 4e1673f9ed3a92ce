/** Why a due time was missed, for an occurrence, whose record shows it. */
export const missedWords = {
	paused: "Missed while the plan was paused",
	off: "Missed while XWorkmate wasn’t running or its computer was asleep",
} as const;

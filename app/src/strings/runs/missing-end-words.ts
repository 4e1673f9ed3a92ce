/** English text for a run whose last updates the app could not fetch. */
export const missingEndWords = {
	steps: "Some of this run’s steps are missing here.",
	answer: "The answer below is from the run’s result.",
} as const;

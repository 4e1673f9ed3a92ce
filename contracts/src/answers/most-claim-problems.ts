/** The maximum number of problems that the check of an answer names. If it names this many, there may be more. */
export const MOST_CLAIM_PROBLEMS = 100;

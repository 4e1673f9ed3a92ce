/** What a sentence claims, if it claims anything. */
export type Claimed =
	| {
			/** True: files that were written may prove all that the sentence claims. */
			readonly isOfFile: boolean;
			/**
			 * What the sentence says was done, in lower case: participles, or whole clauses of a language without spaces. Empty if the sentence
			 * says so in other words: "all set". Absent if all that it claims is that a check passed, that the user allowed
			 * something, or that a file is attached.
			 */
			readonly acts?: readonly string[];
			/** The checks that the sentence claims have passed: "all tests pass". Absent if there are none. */
			readonly passed?: ReadonlySet<PassedCheck> | undefined;
			/** True if the sentence says that the user allowed something: "you approved it". */
			readonly isAllowed?: boolean | undefined;
			/** True if the sentence says that a file is attached: "the report is attached". */
			readonly isAttached?: boolean | undefined;
	  }
	| undefined;

/**
 * The checks of a project that a command runs. A part of a sentence that names several checks is taken to be about the first of them in
 * this order.
 */
export const passedChecks = ["tests", "build", "lint", "types"] as const;
export type PassedCheck = (typeof passedChecks)[number];

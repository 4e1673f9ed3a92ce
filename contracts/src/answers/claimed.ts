/** What a sentence claims, if it claims anything. */
export type Claimed =
	| {
			/** True: all of the claim may be about files that were created. */
			readonly isOfFile: boolean;
			/**
			 * What it says was done, in lower case: participles, or whole clauses of a language without spaces. Empty if it says so in other words:
			 * "all set". Absent if it claims nothing but that a check passed.
			 */
			readonly acts?: readonly string[];
			/** Set if it claims that a check passed: "all tests pass". */
			readonly passed?: PassedCheck | undefined;
	  }
	| undefined;

/** A check of a project that a command makes. */
export type PassedCheck = "tests" | "build";

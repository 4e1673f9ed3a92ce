import { z } from "zod";

/** The tests of one file whose names contain one of `names`, or all of them if there are none. */
export const TestRequest = z.object({
	project: z.string(),
	/** Relative to the root. */
	file: z.string(),
	names: z.array(z.string()),
	/** Absolute paths that changed since the last request; the next request treats them as restored. */
	changed: z.array(z.string()),
});
export type TestRequest = z.infer<typeof TestRequest>;

export const TestOutcome = z.object({
	passed: z.int(),
	failed: z.int(),
	/** Full names of the tests that ran. */
	ran: z.array(z.string()),
	/** Errors outside of tests. */
	output: z.string(),
});
export type TestOutcome = z.infer<typeof TestOutcome>;

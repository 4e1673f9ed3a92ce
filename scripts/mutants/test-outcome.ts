import { z } from "zod";

/** The tests of one file that contain one of the names, or all of them when there is none. */
export const TestRequest = z.object({
	project: z.string(),
	/** Relative to the root. */
	file: z.string(),
	names: z.array(z.string()),
	/** Absolute paths that were changed since the last request; the next one takes them as changed back. */
	changed: z.array(z.string()),
});
export type TestRequest = z.infer<typeof TestRequest>;

export const TestOutcome = z.object({
	passed: z.int(),
	failed: z.int(),
	/** Full names of the tests that ran. */
	ran: z.array(z.string()),
	/** What went wrong outside of tests. */
	output: z.string(),
});
export type TestOutcome = z.infer<typeof TestOutcome>;

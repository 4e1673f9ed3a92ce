import { z } from "zod";

/** The tests of some files whose names contain one of `names`, or all of them if there are none. */
export const TestRequest = z.object({
	project: z.string(),
	/** Relative to the root. */
	files: z.array(z.string()),
	names: z.array(z.string()),
	/** Absolute paths that changed since the last request; the next request treats them as restored. */
	changed: z.array(z.string()),
});
export type TestRequest = z.infer<typeof TestRequest>;

export const TestOutcome = z.object({
	passed: z.int(),
	failed: z.int(),
	/** The tests that ran. After the first that failed, the others may not have run. */
	ran: z.array(z.object({ file: z.string(), fullName: z.string() })),
	/** Errors outside of tests. */
	output: z.string(),
});
export type TestOutcome = z.infer<typeof TestOutcome>;

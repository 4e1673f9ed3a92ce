import type { Timestamp } from "@xworkmate/contracts";
import { z } from "zod";
import { tagProblem } from "./tag-problem.ts";

/** The tags of one thread, in the order in which they were given. */
export const ThreadTags = z
	.array(z.string().max(200))
	.max(100)
	.superRefine((tags, context) => {
		const message = tagProblem(tags);
		if (message !== undefined) context.addIssue({ code: "custom", message });
	})
	.readonly();

/** The marks that the user gave a thread. */
export interface ThreadMarks {
	/** Absent if the thread is not pinned. */
	readonly pinnedAt?: Timestamp;
	/** Absent if the thread has none. */
	readonly tags?: readonly string[];
}

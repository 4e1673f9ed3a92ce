import { z } from "zod";
import { EditDiff, EditList, TreeId } from "../edits/edit.ts";
import { RunId, ThreadId } from "../ids/ids.ts";
import type { MethodDefinition } from "./method-definition.ts";

const path = z.string().min(1).max(4096);

/** The changes made by one run, or all that have not been applied yet. */
const which = { threadId: ThreadId, runId: RunId.optional() };

/**
 * The files to apply or to discard. If absent: every listed file; when applying, first those without `applied`, then those that were undone.
 */
const paths = z.array(path).min(1).max(2000).optional();

/** The files that a thread's runs changed in a git repository. */
export const editMethods = {
	"xworkmate.edits.list": {
		params: z.strictObject(which),
		result: EditList,
		streams: false,
		effects: false,
		summary:
			"The files that changed in a thread's git repository: during one run, or since the record of its runs there began, without what was applied from a worktree and is still in the user's folder.",
	},
	"xworkmate.edits.diff": {
		params: z.strictObject({ ...which, path }),
		result: EditDiff,
		streams: false,
		effects: false,
		summary: "How one file changed.",
	},
	"xworkmate.edits.apply": {
		params: z.strictObject({ threadId: ThreadId, seen: TreeId, paths }),
		result: z.object({ applied: z.array(z.string()) }),
		streams: false,
		effects: true,
		summary:
			"Writes changed files of the thread's worktree into the user's checkout. If one of them was changed there, none is written. A file that changes while the files are being written is left as it is.",
	},
	"xworkmate.edits.discard": {
		params: z.strictObject({ ...which, seen: TreeId, paths }),
		result: z.object({ discarded: z.array(z.string()) }),
		streams: false,
		effects: true,
		summary:
			"Restores changed files to their earlier state. If one of them has changed again, none is restored. A file that changes while the files are being restored is left as it is.",
	},
	"xworkmate.edits.commit": {
		params: z.strictObject({ threadId: ThreadId, seen: TreeId, message: z.string().trim().min(1).max(10_000) }),
		result: z.object({
			commit: TreeId,
			branch: z.string(),
			/** How many files differ from the branch's previous commit, including applied changes. Absent: the bridge's version does not say. */
			files: z.int().min(1).optional(),
			/**
			 * The commit's author. `configured`: git is configured with the name and the address; otherwise they are XWorkmate's own. Absent: the
			 * bridge's version does not say.
			 */
			author: z.object({ name: z.string(), email: z.string(), configured: z.boolean() }).optional(),
		}),
		streams: false,
		effects: true,
		summary: "Commits the content of the thread's worktree to its branch.",
	},
} as const satisfies Record<string, MethodDefinition>;

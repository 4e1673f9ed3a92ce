import type { ErrorDefinition } from "./error-definition.ts";

/** Refusals about the files that runs changed in a git repository. */
export const editErrors = {
	EDITS_UNAVAILABLE: {
		number: -32009,
		retryable: false,
		meaning: "There is nothing to compare this thread's files with, or there are no changes that this action applies to.",
		fix: "Run the thread in a git repository inside one of the project folders (Settings > Project folders).",
	},
	EDITS_CONFLICT: {
		number: -32009,
		retryable: false,
		meaning:
			"A file or the thread's branch is not in the state that this action needs, or a file can't be written. Nothing was written, unless the message says so.",
		fix: "Leave these files out, or edit them yourself.",
	},
	EDITS_CHANGED: {
		number: -32009,
		retryable: false,
		meaning: "A file changed after you were shown the changes, so nothing was written.",
		fix: "List the changes again and review them before you decide.",
	},
	REPOSITORY_REFUSED: {
		number: -32009,
		retryable: false,
		meaning:
			"This git repository can't be used as it is. For example, it may have no commits, run commands through git filters, or be outside the allowed folders.",
		fix: "Correct the problem that the message describes, or run the thread without a worktree.",
	},
	GIT_FAILED: {
		number: -32011,
		retryable: true,
		meaning: "Git failed, its output couldn't be used, or a file or folder couldn't be read or written.",
		fix: "If the message names a file or folder, make it readable and writable for the bridge. Otherwise, check that `git --version` works on the bridge's computer and that the repository is intact (`git fsck`). Then try again.",
	},
} as const satisfies Record<string, ErrorDefinition>;

/** Errors with which the bridge refuses requests about changed files of a git repository, in the page's words. */
export const editRefusals = {
	EDITS_UNAVAILABLE: refused("There are no changes to show"),
	EDITS_CONFLICT: refused("This action couldn’t be completed"),
	EDITS_CHANGED: refused("The files changed in the meantime"),
	REPOSITORY_REFUSED: refused("This git repository can’t be used"),
	GIT_FAILED: refused("Git failed"),
} as const;

function refused(title: string) {
	return { tone: "bad", title, meaning: "{message}", actions: ["retry"] } as const;
}

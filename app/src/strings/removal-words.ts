/** What the user is told before a thread is deleted. */
export const removalWords = {
	title: "Delete “{title}”?",
	say: "This permanently deletes {what} in this thread’s folder.",
	workspace: "The agent’s workspace folder is deleted too, with {files}: {path}",
	worktree:
		"Unapplied changes in its worktree are first committed to the branch {branch}.{ignored}{repositories} Then the worktree is deleted, with {files}: {path}",
	ignored: " {files} that git ignores are not committed, and will be lost.",
	ignoredOne: " {files} that git ignores is not committed, and will be lost.",
	ignoredUnknown: " Files that git ignores are not committed, and will be lost.",
	repository: " The git repository {paths} inside the worktree is not committed, and will be lost with its history.",
	repositories: " {count} git repositories inside the worktree are not committed, and will be lost with their history: {paths}.",
	project: "In your project folder, only this thread’s folder is deleted, with {files}: {path}",
	noProject: "Your own files in project folders are not affected.",
	unknown:
		"XWorkmate can’t tell what else will be deleted. If the thread has a workspace folder or a worktree on the bridge’s computer, that folder is deleted with everything in it. Your own files in project folders are not affected.",
	elsewhere: "{runs} of this thread will stay at another bridge{addresses}.",
	addresses: " ({addresses})",
	moreThan: "more than {files}",
	loading: "Checking what would be deleted…",
	everything: "everything",
	everythingElse: "everything else",
	waiting: "{count} will be deleted too.",
	draft: "Its unsent draft will be deleted too.",
	confirm: "Delete",
	cancel: "Cancel",
	busy: "This thread is still running. Stop it before deleting.",
	saving: "Files of the last run are still being saved. You can delete the thread once they have been saved.",
} as const;

import type { EditApplied, EditHindrance, EditOutside, EditStatus, EditsUntil } from "@xworkmate/contracts";

export const editStatusWords: Readonly<Record<EditStatus, string>> = { added: "Added", modified: "Modified", deleted: "Deleted" };

export const editHindranceWords: Readonly<Record<EditHindrance, string>> = {
	too_large: "Too large to show. The file can’t be applied or discarded here.",
	name: "The file’s name isn’t valid UTF-8. The file can’t be shown, applied or discarded here.",
	filtered:
		"The repository uses a git filter for this file, and XWorkmate doesn’t run filters. The file can’t be applied or discarded here.",
};

export const editOutsideWords: Readonly<Record<EditOutside, string>> = {
	changed: "Changed outside of this thread’s runs. To protect your own changes, this file’s changes can’t be discarded here.",
	unknown:
		"XWorkmate doesn’t know what the run wrote to this file. To protect your own changes, this file’s changes can’t be discarded here.",
};

/** The reasons above in a few words, for the list of files. */
export const editOutsideMarks: Readonly<Record<EditOutside, string>> = {
	changed: "Changed outside of the thread’s runs",
	unknown: "May contain other changes",
};

/** What has become of an applied file in the user's folder. */
export const editAppliedWords: Readonly<Record<EditApplied, string>> = {
	undone: "Your folder is as it was before you applied this. You can apply it again.",
	changed: "In your folder, this file was changed or deleted since, so it can’t be applied again.",
};

/** The same in a few words, for the list of files. */
export const editAppliedMarks: Readonly<Record<EditApplied, string>> = {
	undone: "Applied earlier, undone in your folder",
	changed: "Applied earlier, changed or deleted in your folder since",
};

/** When the files in the list of one run changed. */
export const editsUntilWords: Readonly<Record<EditsUntil, string>> = {
	end: "during this run",
	still: "during this run, apart from what has changed back since",
	next: "between the beginning of this run and that of the next",
	now: "since this run began",
};

/** The page that shows what a thread changed in a git repository. */
export const changesWords = {
	title: "Changes",
	back: "Back to the thread",
	loading: "Comparing files…",
	failed: "The changes couldn’t be loaded.",
	again: "Try again",
	refresh: "Refresh",
	asOf: "As of {time}.",
	inWorktree: "In the thread’s worktree, branch {branch}.",
	elsewhere: "In the thread’s worktree, which is on the branch {on} and not on the thread’s own branch {branch}.",
	onNoBranch: "In the thread’s worktree, which is on no branch and so not on the thread’s own branch {branch}.",
	folderStays: "XWorkmate changes files in your folder {folder} only when you apply something. An agent may still write there.",
	inFolder:
		"Changes in {folder} since the record of this thread’s runs there began{at}. The list includes your own edits. Discarding leaves them alone, unless you made them during a run.",
	/** When the record began. */
	at: " ({time})",
	/** For the list of one run, which may contain files that the user changed during the run. */
	inWorktreeRun: "The list shows what changed in the worktree {when}, no matter who changed it.",
	inFolderRun: "What changed in {folder} {when}, no matter who changed it.",
	runDiscard: "Discarding a file also discards what you changed in it during the run.",
	ofRun: "Run",
	allRuns: "All runs",
	oneRun: "Run {number}, {time}",
	none: "No changes in the compared files.",
	noneUnapplied: "No unapplied changes in the compared files.",
	noneStill: "The compared files that changed during this run are now as they were before it.",
	files: "Changed files",
	counted: "{files} changed",
	shownOf: "The first {count} are shown.",
	choose: "Select {path}",
	chooseAll: "Select all",
	chosen: "{count} selected",
	copyPath: "Copy path of {path}",
	binary: "Binary file",
	link: "Link",
	executable: "Now executable",
	notExecutable: "No longer executable",
	/** For a file whose diff has no lines. */
	noText: { added: "The file is empty.", modified: "Only its name, mode or type differs.", deleted: "The file was empty." },
	truncated: "Only the beginning of the diff is shown.",
	apply: "Apply",
	applySay: "Write the selected files into {folder}",
	applied: "Applied {files} to {folder}",
	discard: "Discard…",
	discardTitle: "Discard changes to {files}?",
	discardAll:
		"Each file goes back to how it was when the record of this thread’s runs in this folder began{at}. Changes that you hadn’t committed by then are kept. This can’t be undone.",
	discardRun: "Each file goes back to how it was before this run. Changes that weren’t committed by then are kept. This can’t be undone.",
	discardWorktree:
		"Each file goes back to how it was when you last applied it or, if your folder has no applied version, when the worktree was created. This can’t be undone.",
	discardYes: "Discard",
	discardNotMore: "{files} and {count} more",
	discardNot:
		"These files contain, or may contain, changes that didn’t come from this thread’s runs: {files}. Edit them yourself, or select other files.",
	discarded: "Discarded changes to {files}",
	commit: "Commit…",
	commitTitle: "Commit to {branch}",
	commitSay:
		"Everything in the worktree that git doesn’t ignore is committed to its branch, with the name and email set in git, or XWorkmate’s own if git lacks either. Your folder is not changed.",
	commitMessage: "Message",
	commitYes: "Commit",
	committed: "Committed {commit} to {branch}",
	committedFiles: "Committed {commit} ({files}) to {branch}",
	committedBy: "{committed}, as {name} <{email}>",
	/** For a commit with XWorkmate's own name and email, because git lacks the user's name or email. */
	committedUnnamed: "{committed}, as {name} <{email}>, because git lacks a user.name or a user.email",
	commitNothing: "The branch already has everything, so there is nothing to commit.",
	/** Not committed, whether applied or not. */
	uncommitted: "Not committed to the branch yet, whether applied or not: {files}.",
	isCommitted: "Committed to the branch, not applied",
	/** For a file that was applied, and that the folder no longer has like that, or that can't be compared with the folder. */
	isCommittedToo: "Committed to the branch.",
	cancel: "Cancel",
	busy: "A run of this thread hasn’t ended. You can apply, commit or discard changes once it has.",
	unfinished: {
		changed: "These files changed while XWorkmate was writing, so they were left untouched: {files}",
		failed: "These files couldn’t be written, or came after one that couldn’t: {files}",
		interrupted:
			"Left untouched, because writing was interrupted and these files have changed since, or because the data folder was restored from a backup: {files}",
		unknown: "Something else had changed these files, so they were left untouched: {files}",
	},
	filesCount: { one: "1 file", other: "{count} files" },
} as const;

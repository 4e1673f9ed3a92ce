/** English text of the menus of threads and messages, of the tags' dialog, and of a thread that continues another. */
export const menuWords = {
	pin: "Pin to top",
	unpin: "Unpin",
	tags: "Tags…",
	find: "Find in thread",
	usage: "Usage…",
	exportMarkdown: "Export as Markdown",
	exportZip: "Export with files (zip)",
	tagsTitle: "Tags",
	tagsLabel: "Tags, separated by commas",
	tagsHint: "Each tag has up to 40 characters. A thread can have 20.",
	save: "Save",
	cancel: "Cancel",
	/** For the menu of a message, or of an answer. */
	ofMessage: "Actions for your message",
	ofAnswer: "Actions for this answer",
	copyMessage: "Copy message",
	copyAnswer: "Copy answer as Markdown",
	copied: "Copied",
	notCopied: "Your browser didn’t allow copying.",
	edit: "Edit and send again",
	editSay: "Edit the message, then send it. It’s sent as a new message; the earlier one stays as it was.",
	continueHere: "Continue in a new thread from here",
	/** Above the first message of a thread that continues another. */
	continued: "Continues “{title}”. Sent with the first message here: {given} of that thread as text, and none of its files.",
	continuedLess:
		"Continues “{title}”. Sent with the first message here: the last {given} of that thread as text, and none of its files. {leftOut} had no room.",
	continuedScript: "Continues “{title}”. Script runs a program and is given nothing of that thread.",
	continuedOpen: "Open that thread",
	/** The same before the message is sent. */
	continues: "Continues “{title}”: the agent is given {given} of that thread as text, and none of its files.",
	continuesLess:
		"Continues “{title}”: the agent is given the last {given} of that thread as text, and none of its files. {leftOut} have no room.",
	continuesStop: "Start without it",
	continuesGone: "The thread to continue from can’t be read: {problem}",
	copyPath: "Copy path of {name}",
} as const;

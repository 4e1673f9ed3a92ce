/** English text of the menus of threads and messages, of the tags' dialog, and for a thread that continues another. */
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
	tagsHint: "Up to 20 tags, each with up to 40 characters.",
	save: "Save",
	cancel: "Cancel",
	/** The names of the menus of a message and of an answer. */
	ofMessage: "Actions for your message",
	ofAnswer: "Actions for this answer",
	copyMessage: "Copy message",
	copyAnswer: "Copy answer as Markdown",
	copied: "Copied",
	/** For an answer in which the page marks sentences. */
	copiedUnmarked: "Copied as the agent wrote it, without the marks for claims that couldn’t be verified.",
	notCopied: "Your browser blocked copying.",
	edit: "Edit and send again",
	editSay: "Edit the message, then send it. It’s sent as a new message; the earlier one doesn’t change.",
	continueHere: "Continue from here in a new thread",
	/** Shown above the first message of a thread that continues another. */
	continued: "Continues “{title}”. The first message here was sent with {given} from that thread as text, including answers but not files.",
	continuedLess:
		"Continues “{title}”. The first message here was sent with only {given} from that thread as text, including answers but not files. There was no room for {leftOut}.",
	continuedScript: "Continues “{title}”. Script runs a program and gets nothing from that thread.",
	continuedOpen: "Open that thread",
	/** Shown in the composer before the first message of such a thread is sent. */
	continues: "Continues “{title}”: the agent gets {given} from that thread as text, including answers but not files.",
	continuesLess:
		"Continues “{title}”: the agent gets only {given} from that thread as text, including answers but not files. There is no room for {leftOut}.",
	continuesStop: "Start without that thread",
	continuesGone: "The thread to continue from can’t be read: {problem}",
	copyPath: "Copy path of {name}",
	openInEditor: "Open {name} in your editor",
} as const;

// Kept apart from `words`, which the page loads before its first paint.

/** Each action with its shortcuts; `Mod` is Command on a Mac and Ctrl elsewhere. */
export const shortcutWords = [
	{ group: "Anywhere", what: "New thread", chords: ["Alt+N"], inWindow: "Mod+N" },
	{ group: "Anywhere", what: "New plan", chords: ["Alt+P"] },
	{ group: "Anywhere", what: "Commands, threads and agents", chords: ["Mod+K"] },
	{ group: "Anywhere", what: "Search threads", chords: ["/"] },
	{ group: "Anywhere", what: "Previous thread", chords: ["Alt+Up"] },
	{ group: "Anywhere", what: "Next thread", chords: ["Alt+Down"] },
	{ group: "Anywhere", what: "Next approval request", chords: ["Alt+Y"] },
	{ group: "Anywhere", what: "Toggle sidebar", chords: ["Mod+B"] },
	{ group: "Anywhere", what: "Settings", chords: ["Mod+,"] },
	{ group: "Anywhere", what: "Keyboard shortcuts", chords: ["?"] },
	{ group: "In a thread", what: "Files", chords: ["Mod+J"] },
	{ group: "In a thread", what: "Run log", chords: ["Mod+L"] },
	{ group: "In a thread", what: "Find in thread", chords: ["F"] },
	{ group: "In a thread", what: "Stop", chords: ["Esc Esc"] },
	{ group: "In a thread", what: "Close the preview, then the files", chords: ["Esc"] },
	{ group: "Message", what: "Write a message", chords: ["C", "Alt+C"] },
	{ group: "Message", what: "Send", chords: ["Enter"] },
	{ group: "Message", what: "New line", chords: ["Shift+Enter"] },
	{ group: "Message", what: "Mention a file", chords: ["@"] },
	{ group: "Message", what: "Earlier messages (in an empty field)", chords: ["Up"] },
	{ group: "Approval request", what: "Allow once", chords: ["A"] },
	{ group: "Approval request", what: "Allow for 15 min", chords: ["W"] },
	{ group: "Approval request", what: "Deny", chords: ["D"] },
	{ group: "Approval request", what: "Whole input", chords: ["I"] },
	{ group: "Actions", what: "Receipts of an action", chords: ["R"] },
	{ group: "Message in review", what: "Edit the message", chords: ["E"] },
	{ group: "Inbox", what: "Mark unread", chords: ["U"] },
	{ group: "Thread list", what: "Archive", chords: ["E"] },
	{ group: "Thread list", what: "Rename", chords: ["F2"] },
	{ group: "Thread list", what: "More actions", chords: ["Shift+F10"] },
	{ group: "Thread list", what: "Undo archive", chords: ["Mod+Z"] },
] as const;

/** English text around the list of shortcuts. */
export const keySheetWords = { inWindow: "in the app window", close: "Close", or: "or", off: "Off" } as const;

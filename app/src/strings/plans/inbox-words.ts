/** English text of the inbox. */
export const inboxWords = {
	lead: "{count} unread",
	loading: "Loading the inbox…",
	failed: "The inbox couldn’t be loaded.",
	again: "Try again",
	empty: "Nothing here yet. Messages that plans send to your inbox appear here.",
	choose: "Choose a message to read it.",
	unread: "Unread",
	markUnread: "Mark unread",
	markAll: "Mark all read",
	plan: "Open plan",
	list: "Messages",
	back: "Back to the messages",
	older: "Show older messages",
	due: "Due {when}",
} as const;

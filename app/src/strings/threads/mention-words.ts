/** English text of the list that `@` opens in a message. */
export const mentionWords = {
	label: "Files in this thread and its project folder",
} as const;

/** The words about the queue that the page needs only when something has gone wrong with it. */
export const queueWords = {
	notSent: "Queue paused. Not sent: {why}",
	/** The heading of the messages that were removed from the queue when a backup was restored. */
	restored: "Removed from the queue because a backup was restored. They may have been sent already.",
} as const;

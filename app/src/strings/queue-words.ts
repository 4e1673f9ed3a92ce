/** The words of the queue that the page needs only when something went wrong with it. */
export const queueWords = {
	notSent: "Queue paused. Not sent: {why}",
	/** Heads the messages that were taken out of the queue when a backup was restored. */
	restored: "Removed from the queue because a backup was restored. They may have been sent already.",
} as const;

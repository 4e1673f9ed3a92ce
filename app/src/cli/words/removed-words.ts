/** Printed when a message is refused and the command had created its thread. */
export const removedWords = "The thread was removed, because nothing was sent.";

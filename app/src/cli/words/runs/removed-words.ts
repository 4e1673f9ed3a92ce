/** Printed when a message was refused and the thread that the command had created for it was removed. */
export const removedWords = "The thread was removed, because nothing was sent.";

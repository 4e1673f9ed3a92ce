/** For a thread that a command started with a message that was refused. */
export const removedWords = "The thread was removed, because nothing was sent.";

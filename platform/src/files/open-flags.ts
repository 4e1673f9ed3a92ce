import { constants } from "node:fs";

// Windows has none of the flags for links, pipes and directories. There, links are only noticed by callers that check what they have
// opened.
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;

/** Never follows a link, and never blocks on a fifo without a writer. */
export const READ_FILE = constants.O_RDONLY | NOFOLLOW | (constants.O_NONBLOCK ?? 0);
export const READ_DIRECTORY = constants.O_RDONLY | NOFOLLOW | (constants.O_DIRECTORY ?? 0);
export const WRITE_NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;

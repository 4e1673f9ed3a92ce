import { fileURLToPath } from "node:url";

/** The repository's root, with a trailing separator. */
export const repositoryRoot = fileURLToPath(new URL("..", import.meta.url));

export { READ_FILE, WRITE_NEW_FILE } from "./open-flags.ts";
export { openScopeTree } from "./open-scope-tree.ts";
export type { Listing, ScopeTree } from "./scope-tree.ts";
export { errorMessage, isScopeError, ScopeMovedError, systemErrorCode } from "./system-error.ts";

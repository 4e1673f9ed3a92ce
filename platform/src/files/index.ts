export { READ_FILE, WRITE_NEW_FILE } from "./open-flags.ts";
export { syncDirectory } from "./sync-directory.ts";

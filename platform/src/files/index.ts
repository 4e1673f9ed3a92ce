export { makeFolder } from "./make-folder.ts";
export { matchesSecret } from "./matches-secret.ts";
export { READ_FILE, WRITE_NEW_FILE } from "./open-flags.ts";
export { readIfThere } from "./read-if-there.ts";
export { refusalToWrite } from "./refusal-to-write.ts";
export { SecretFile, SecretFileError } from "./secret-file.ts";
export { syncDirectory } from "./sync-directory.ts";
export { createDurably, writeDurably } from "./write-durably.ts";

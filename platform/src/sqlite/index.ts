export { CHECK_PROGRAM, checkDatabase, WHOLE_CHECK_BYTES } from "./check-database.ts";
export { copyDatabase } from "./copy-database.ts";
export { type DatabaseRefusal, DatabaseRefused } from "./database-refused.ts";
export { type DatabaseKind, type Migration, openDatabase } from "./open-database.ts";
export { isLockHeld, takeLock } from "./take-lock.ts";

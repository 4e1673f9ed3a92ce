export { type DatabaseRefusal, DatabaseRefused } from "./database-refused.ts";
export { type DatabaseKind, type Migration, openDatabase } from "./open-database.ts";
export { takeLock } from "./take-lock.ts";

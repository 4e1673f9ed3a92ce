export type { DiskOperations } from "./disk-operations.ts";
export { diskOperations } from "./disk-operations.ts";
export { LocalDisk } from "./local-disk.ts";
export { type SyncBounds, syncBounds } from "./sync-bounds.ts";
export type { SyncDisk, SyncPlace } from "./sync-disk.ts";
export type { SyncProblem, SyncProblemCode } from "./sync-problem.ts";
export { type SyncRequest, type SyncResult, syncRun } from "./sync-run.ts";

export type { DiskOperations } from "./disk/disk-operations.ts";
export { diskOperations } from "./disk/disk-operations.ts";
export { FolderDisk } from "./disk/folder-disk.ts";
export type { SyncDisk, SyncPlace } from "./disk/sync-disk.ts";
export { reasonOf, type SyncProblem, type SyncProblemCode } from "./disk/sync-problem.ts";
export { type SyncBounds, syncBounds } from "./sync-bounds.ts";
export { type SyncRequest, type SyncResult, syncRun } from "./sync-run.ts";

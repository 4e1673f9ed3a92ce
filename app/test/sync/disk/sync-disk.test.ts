import { diskOperations } from "../../../src/sync/disk/disk-operations.ts";
import { FolderDisk } from "../../../src/sync/disk/folder-disk.ts";
import { openSyncDisk } from "../../../src/sync/disk/open-sync-disk.ts";
import { syncDiskContract } from "./sync-disk-contract.ts";

const much = { count: 10_000, totalBytes: 1e9 };

syncDiskContract("the caller's thread", (place) => new FolderDisk(diskOperations, place));
syncDiskContract("a thread of its own", (place) => openSyncDisk(place, much));

import { LocalDisk } from "../../../src/sync/disk/local-disk.ts";
import { openSyncDisk } from "../../../src/sync/disk/open-sync-disk.ts";
import { syncDiskContract } from "./sync-disk-contract.ts";

const much = { count: 10_000, totalBytes: 1e9 };

syncDiskContract("the caller's thread", (place) => new LocalDisk(place));
syncDiskContract("a thread of its own", (place) => openSyncDisk(place, much));

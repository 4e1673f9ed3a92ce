import { type DiskOperations, diskOperations } from "./disk-operations.ts";
import { FolderDisk } from "./folder-disk.ts";
import type { Batch, BatchResult, PublishResult, SyncDisk, SyncPlace, WantedFile } from "./sync-disk.ts";

/** A sync's disk in the caller's own thread: for a few small files its own thread costs more than the work. */
export class LocalDisk implements SyncDisk {
	readonly #disk: FolderDisk;

	constructor(place: SyncPlace, operations: DiskOperations = diskOperations) {
		this.#disk = new FolderDisk(operations, place);
	}

	async begin(wanted: readonly WantedFile[]): Promise<PublishResult> {
		return this.#disk.begin(wanted);
	}

	async write(batch: Batch): Promise<BatchResult> {
		return this.#disk.write(batch);
	}

	async publish(): Promise<PublishResult> {
		return this.#disk.publish();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#disk.discard();
	}
}

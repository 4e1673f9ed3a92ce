import { Worker } from "node:worker_threads";
import { diskOperations } from "./disk-operations.ts";
import { FolderDisk } from "./folder-disk.ts";
import type { Batch, BatchResult, PublishResult, SyncDisk, SyncPlace, WantedFile } from "./sync-disk.ts";
import type { ThreadAnswer, ThreadRequest } from "./thread-protocol.ts";

/** The maximum number of files that are handled in the app's main thread, which is blocked while they are written. */
const FEW_FILES = 16;
const FEW_BYTES = 4 * 1024 * 1024;

/** Opens a sync's disk: in a worker thread that ends with the sync, unless there is too little to do. */
export function openSyncDisk(place: SyncPlace, work: { readonly count: number; readonly totalBytes: number }): SyncDisk {
	const isSmall = work.count <= FEW_FILES && work.totalBytes <= FEW_BYTES;
	return isSmall ? new FolderDisk(diskOperations, place) : new ThreadedDisk(place);
}

class ThreadedDisk implements SyncDisk {
	readonly #worker: Worker;
	readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
	#lastId = 0;
	#ended: Error | undefined;

	constructor(place: SyncPlace) {
		this.#worker = new Worker(new URL("../sync-thread.ts", import.meta.url), { workerData: place });
		this.#worker.on("message", (answer: ThreadAnswer) => this.#settle(answer));
		this.#worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
		this.#worker.on("exit", () => this.#fail(new Error("saving stopped unexpectedly")));
	}

	begin(wanted: readonly WantedFile[]): Promise<PublishResult> {
		return this.#ask({ type: "begin", wanted });
	}

	write(batch: Batch): Promise<BatchResult> {
		return this.#ask({ type: "write", batch }, [batch.bytes.buffer]);
	}

	publish(): Promise<PublishResult> {
		return this.#ask({ type: "publish" });
	}

	async [Symbol.asyncDispose](): Promise<void> {
		try {
			if (this.#ended === undefined) await this.#ask({ type: "discard" });
		} finally {
			await this.#worker.terminate();
		}
	}

	#ask<T>(request: ThreadRequest, given: ArrayBuffer[] = []): Promise<T> {
		if (this.#ended !== undefined) return Promise.reject(this.#ended);
		this.#lastId += 1;
		const waiting = Promise.withResolvers<unknown>();
		this.#waiting.set(this.#lastId, waiting);
		this.#worker.postMessage({ id: this.#lastId, request }, given);
		// The worker thread runs this project's own code, so the answer to a request has the request's type.
		return waiting.promise as Promise<T>;
	}

	#settle(answer: ThreadAnswer): void {
		const waiting = this.#waiting.get(answer.id);
		this.#waiting.delete(answer.id);
		if ("error" in answer) waiting?.reject(new Error(answer.error));
		else waiting?.resolve(answer.value);
	}

	#fail(error: Error): void {
		this.#ended ??= error;
		for (const { reject } of this.#waiting.values()) reject(this.#ended);
		this.#waiting.clear();
	}
}

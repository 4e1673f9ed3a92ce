import type { Batch, FileResult, Segment, SyncDisk } from "./disk/sync-disk.ts";

const BATCH_BYTES = 1024 * 1024;
/** The maximum number of batches that are being filled, written or returned. This limits the memory that a sync of any size needs. */
const BATCHES = 4;

export interface BatchOutcome {
	readonly staged: ReadonlySet<number>;
	readonly problems: readonly FileResult[];
}

/** Collects chunks of files into large batches while the disk writes. The number of open batches is limited. */
export class BatchWriter {
	readonly #disk: SyncDisk;
	readonly #free: Uint8Array<ArrayBuffer>[] = [];
	readonly #underWay = new Set<Promise<void>>();
	readonly #staged = new Set<number>();
	readonly #problems: FileResult[] = [];
	#created = 0;
	#batch: Uint8Array<ArrayBuffer> | undefined;
	#used = 0;
	#segments: Segment[] = [];
	#failure: { readonly error: unknown } | undefined;

	constructor(disk: SyncDisk) {
		this.#disk = disk;
	}

	/** True once the disk is full, so that nothing more needs to be fetched. */
	get diskFull(): boolean {
		return this.#problems.some(({ problem }) => problem.code === "DISK_FULL");
	}

	/** Adds the next chunk of a file; `first` and `last` mark the ends of the file. An empty file is one empty chunk. */
	async add(file: number, piece: Uint8Array, first: boolean, last: boolean): Promise<void> {
		let rest = piece;
		let begins = first;
		do {
			// The condition is checked again after each wait, because a chunk of another file may have filled the batch in the meantime.
			while (this.#batch === undefined) await this.#makeRoom();
			const batch = this.#batch;
			const part = rest.subarray(0, batch.length - this.#used);
			rest = rest.subarray(part.length);
			batch.set(part, this.#used);
			this.#segments.push({ file, start: this.#used, end: this.#used + part.length, first: begins, last: last && rest.length === 0 });
			this.#used += part.length;
			begins = false;
			if (this.#used === batch.length) this.#flush();
		} while (rest.length > 0);
	}

	/** Waits until everything that was added has been staged or refused. */
	async finish(): Promise<BatchOutcome> {
		if (this.#segments.length > 0) this.#flush();
		await Promise.all(this.#underWay);
		if (this.#failure !== undefined) throw this.#failure.error;
		return { staged: this.#staged, problems: this.#problems };
	}

	async #makeRoom(): Promise<void> {
		if (this.#failure !== undefined) throw this.#failure.error;
		this.#batch = this.#free.pop();
		if (this.#batch !== undefined) return;
		if (this.#created >= BATCHES) {
			await Promise.race(this.#underWay);
			return;
		}
		this.#created += 1;
		this.#batch = new Uint8Array(BATCH_BYTES);
	}

	#flush(): void {
		if (this.#batch === undefined) return;
		const done = this.#write({ bytes: this.#batch, segments: this.#segments }).finally(() => this.#underWay.delete(done));
		this.#underWay.add(done);
		this.#batch = undefined;
		this.#used = 0;
		this.#segments = [];
	}

	async #write(batch: Batch): Promise<void> {
		try {
			const { bytes, staged, problems } = await this.#disk.write(batch);
			this.#free.push(bytes);
			for (const file of staged) this.#staged.add(file);
			this.#problems.push(...problems);
		} catch (error) {
			this.#failure ??= { error };
			this.#created -= 1;
		}
	}
}

import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { OpenClawArtifact } from "@xworkmate/contracts";

const READ_BYTES = 256 * 1024;

/** One file during its download, hashed as it grows. Its path is inside one of the bridge's own folders. */
export class StagedFile implements AsyncDisposable {
	readonly #file: FileHandle;
	readonly #wanted: OpenClawArtifact;
	#hash: Hash = createHash("sha256");
	#size = 0;

	private constructor(file: FileHandle, wanted: OpenClawArtifact) {
		this.#file = file;
		this.#wanted = wanted;
	}

	/** Opens the file. Keeps the bytes that an earlier attempt left, if they may be the file's beginning. */
	static async open(path: string, wanted: OpenClawArtifact): Promise<StagedFile> {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
		const file = new StagedFile(handle, wanted);
		try {
			await file.#readWhatIsThere();
		} catch (error) {
			await handle.close();
			throw error;
		}
		return file;
	}

	/** How many bytes have arrived. */
	get size(): number {
		return this.#size;
	}

	/** True if the file is complete and its hash is right. A complete file is never written to again. */
	get whole(): boolean {
		return this.#size === this.#wanted.sizeBytes && this.#hash.copy().digest("hex") === this.#wanted.sha256;
	}

	/** Appends a chunk. False if the file would become larger than expected. */
	async append(chunk: Buffer): Promise<boolean> {
		if (this.#size + chunk.length > this.#wanted.sizeBytes) return false;
		for (let done = 0; done < chunk.length; ) {
			const { bytesWritten } = await this.#file.write(chunk, done, chunk.length - done, this.#size + done);
			done += bytesWritten;
		}
		this.#hash.update(chunk);
		this.#size += chunk.length;
		return true;
	}

	/** Discards the content and starts over. */
	async clear(): Promise<void> {
		await this.#file.truncate(0);
		this.#hash = createHash("sha256");
		this.#size = 0;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.#file.close();
	}

	async #readWhatIsThere(): Promise<void> {
		const { size } = await this.#file.stat();
		if (size > this.#wanted.sizeBytes) return this.clear();
		const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, Math.max(size, 1)));
		while (this.#size < size) {
			const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#size);
			if (bytesRead === 0) break;
			this.#hash.update(buffer.subarray(0, bytesRead));
			this.#size += bytesRead;
		}
		if (this.#size === this.#wanted.sizeBytes && !this.whole) await this.clear();
	}
}

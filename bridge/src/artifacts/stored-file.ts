import { createHash, hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type Artifact, type ByteRange, ContractError } from "@xworkmate/contracts";
import type { StoredFile } from "../ports/artifacts/artifact-store.ts";
import type { VerifiedFiles } from "./verified-files.ts";

const CHUNK_BYTES = 256 * 1024;

/**
 * Opens the stored bytes of an artifact.
 * @throws ContractError ARTIFACT_CHANGED if they cannot be opened or have another size
 */
export async function openStored(path: string, artifact: Artifact, verified: VerifiedFiles): Promise<StoredFile> {
	const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
		throw artifactChanged(artifact, error);
	});
	const stats = await handle.stat();
	if (stats.isFile() && stats.size === artifact.sizeBytes) return new OpenFile(handle, artifact, verified);
	await handle.close();
	throw artifactChanged(artifact);
}

class OpenFile implements StoredFile {
	readonly #handle: FileHandle;
	readonly #artifact: Artifact;
	readonly #verified: VerifiedFiles;

	constructor(handle: FileHandle, artifact: Artifact, verified: VerifiedFiles) {
		this.#handle = handle;
		this.#artifact = artifact;
		this.#verified = verified;
	}

	async readWhole(): Promise<Buffer> {
		const { sizeBytes, sha256 } = this.#artifact;
		const bytes = Buffer.allocUnsafe(sizeBytes);
		const { bytesRead } = await this.#handle.read(bytes, 0, sizeBytes, 0);
		if (bytesRead !== sizeBytes || hash("sha256", bytes) !== sha256) throw artifactChanged(this.#artifact);
		return bytes;
	}

	verify(): Promise<void> {
		return this.#verified.verify(this.#handle, this.#artifact);
	}

	async *pieces(range: ByteRange, reuse: boolean): AsyncGenerator<Buffer> {
		const { sizeBytes, sha256 } = this.#artifact;
		const isWhole = range.start === 0 && range.end === sizeBytes;
		const hash = createHash("sha256");
		const buffers = reuse ? [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] : [];
		let position = range.start;
		for (let turn = 0; position < range.end; turn++) {
			const length = Math.min(CHUNK_BYTES, range.end - position);
			const buffer = buffers[turn % 2] ?? Buffer.allocUnsafeSlow(length);
			const { bytesRead } = await this.#handle.read(buffer, 0, length, position);
			if (bytesRead === 0) throw artifactChanged(this.#artifact);
			const piece = buffer.subarray(0, bytesRead);
			if (isWhole) hash.update(piece);
			position += bytesRead;
			if (isWhole && position === range.end && hash.digest("hex") !== sha256) throw artifactChanged(this.#artifact);
			yield piece;
		}
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.#handle.close();
	}
}

function artifactChanged(artifact: Artifact, cause?: unknown): ContractError {
	const detail = `${artifact.relativePath}: the stored file does not match the manifest`;
	return new ContractError("ARTIFACT_CHANGED", cause === undefined ? { detail } : { detail, cause });
}

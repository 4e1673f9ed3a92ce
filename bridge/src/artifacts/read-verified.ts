import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { Artifact } from "@xworkmate/contracts";
import { READ_FILE } from "./open-flags.ts";
import { isScopeError } from "./system-error.ts";

const CHUNK_BYTES = 256 * 1024;

export type ArtifactChange = "missing" | "not_a_file" | "size" | "hash";

/** A stored file is no longer what its manifest says; over HTTP it is `ARTIFACT_CHANGED`. */
export class ArtifactChangedError extends Error {
	override readonly name = "ArtifactChangedError";
	readonly code = "ARTIFACT_CHANGED";
	readonly change: ArtifactChange;

	constructor(change: ArtifactChange, options: ErrorOptions = {}) {
		super(`the stored bytes no longer match: ${change}`, options);
		this.change = change;
	}
}

export type ExpectedFile = Pick<Artifact, "sizeBytes" | "sha256">;

/** Checks, before anything is answered, that the file is there in its size. @throws ArtifactChangedError */
export async function statVerified(path: string, expected: Pick<ExpectedFile, "sizeBytes">): Promise<void> {
	await using _file = await openExpected(path, expected.sizeBytes);
}

/**
 * A stored file's bytes, hashed on the way. The last chunk is handed out only after the hash was found
 * right, so nobody ever gets a damaged file whole. A chunk is valid until the next one is asked for:
 * two buffers take turns, the disk fills one while the caller writes the other.
 * @throws ArtifactChangedError at the start (missing, size) or before the last chunk (hash)
 */
export async function* readVerified(path: string, expected: ExpectedFile): AsyncGenerator<Uint8Array, void, void> {
	await using file = await openExpected(path, expected.sizeBytes);
	const hash = createHash("sha256");
	let remaining = expected.sizeBytes;
	let next = new PendingRead(file, Buffer.allocUnsafeSlow(CHUNK_BYTES), 0, remaining);
	let spare = Buffer.allocUnsafeSlow(CHUNK_BYTES);
	try {
		while (remaining > 0) {
			const chunk = await next.bytes;
			hash.update(chunk);
			remaining -= chunk.length;
			if (remaining === 0) checkHash(hash, expected);
			const filled = next.buffer;
			next = new PendingRead(file, spare, expected.sizeBytes - remaining, remaining);
			spare = filled;
			yield chunk;
		}
		if (expected.sizeBytes === 0) checkHash(hash, expected);
	} finally {
		// A caller that stops early leaves a read under way: its buffer and handle end with it.
		await next.settled;
	}
}

/** One read under way, of at most `remaining` bytes. */
class PendingRead {
	readonly buffer: Buffer<ArrayBuffer>;
	readonly bytes: Promise<Uint8Array>;
	readonly settled: Promise<unknown>;

	constructor(file: FileHandle, buffer: Buffer<ArrayBuffer>, position: number, remaining: number) {
		this.buffer = buffer;
		this.bytes = readChunk(file, buffer, position, remaining);
		// Nobody may await `bytes` of the last one; whoever does gets its error there.
		this.settled = Promise.allSettled([this.bytes]);
	}
}

async function readChunk(file: FileHandle, buffer: Buffer, position: number, remaining: number): Promise<Uint8Array> {
	const wanted = Math.min(buffer.length, remaining);
	if (wanted === 0) return buffer.subarray(0, 0);
	const { bytesRead } = await file.read(buffer, 0, wanted, position);
	if (bytesRead === 0) throw new ArtifactChangedError("size");
	return buffer.subarray(0, bytesRead);
}

async function openExpected(path: string, sizeBytes: number): Promise<FileHandle> {
	const file = await openFile(path);
	try {
		const found = await file.stat();
		if (!found.isFile()) throw new ArtifactChangedError("not_a_file");
		if (found.size !== sizeBytes) throw new ArtifactChangedError("size");
		return file;
	} catch (error) {
		await file.close();
		throw error;
	}
}

async function openFile(path: string): Promise<FileHandle> {
	try {
		return await open(path, READ_FILE);
	} catch (cause) {
		if (isScopeError(cause)) throw new ArtifactChangedError("missing", { cause });
		throw cause;
	}
}

function checkHash(hash: Hash, { sha256 }: ExpectedFile): void {
	if (hash.digest("hex") !== sha256) throw new ArtifactChangedError("hash");
}

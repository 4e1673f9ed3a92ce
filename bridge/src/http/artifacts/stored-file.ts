import { createHash, hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { type Artifact, type ByteRange, ContractError } from "@xworkmate/contracts";

/** Up to here a file is read whole, so that its hash is known before the first byte is sent. */
export const SMALL_FILE_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** Opens the stored bytes of an artifact. @throws ContractError ARTIFACT_CHANGED when they are not there, or not of its size */
export async function openStored(path: string, artifact: Artifact): Promise<FileHandle> {
	const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
		throw changed(artifact, error);
	});
	const stats = await handle.stat();
	if (stats.isFile() && stats.size === artifact.sizeBytes) return handle;
	await handle.close();
	throw changed(artifact);
}

/** The whole of a small file. @throws ContractError ARTIFACT_CHANGED */
export async function readVerified(handle: FileHandle, artifact: Artifact): Promise<Buffer> {
	const bytes = Buffer.allocUnsafe(artifact.sizeBytes);
	const { bytesRead } = await handle.read(bytes, 0, artifact.sizeBytes, 0);
	if (bytesRead !== artifact.sizeBytes) throw changed(artifact);
	if (hash("sha256", bytes) !== artifact.sha256) throw changed(artifact);
	return bytes;
}

/**
 * The bytes of a range in pieces. Where the range is the whole file its hash is checked before the
 * last piece is given, so that no one ever gets all of a damaged file.
 * A piece is valid until the next but one is asked for when `reuse` is set: two buffers take turns.
 * @throws ContractError ARTIFACT_CHANGED
 */
export async function* readPieces(handle: FileHandle, artifact: Artifact, range: ByteRange, reuse: boolean): AsyncGenerator<Buffer> {
	const isWhole = range.start === 0 && range.end === artifact.sizeBytes;
	const hash = createHash("sha256");
	const buffers = reuse ? [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] : [];
	let position = range.start;
	for (let turn = 0; position < range.end; turn++) {
		const length = Math.min(CHUNK_BYTES, range.end - position);
		const buffer = buffers[turn % 2] ?? Buffer.allocUnsafeSlow(length);
		const { bytesRead } = await handle.read(buffer, 0, length, position);
		if (bytesRead === 0) throw changed(artifact);
		const piece = buffer.subarray(0, bytesRead);
		if (isWhole) hash.update(piece);
		position += bytesRead;
		if (isWhole && position === range.end && hash.digest("hex") !== artifact.sha256) throw changed(artifact);
		yield piece;
	}
}

/** Sends pieces of which two may be reused: each write has ended before its buffer is filled again. False = the reader disconnected. */
export async function sendPieces(raw: ServerResponse, pieces: AsyncIterable<Buffer>): Promise<boolean> {
	let previous: Promise<boolean> = Promise.resolve(true);
	for await (const piece of pieces) {
		const current = write(raw, piece);
		if (!(await previous)) return false;
		previous = current;
	}
	return previous;
}

function write(raw: ServerResponse, piece: Buffer): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	if (raw.destroyed) return Promise.resolve(false);
	const onClose = () => resolve(false);
	raw.once("close", onClose);
	raw.write(piece, (error) => {
		raw.off("close", onClose);
		resolve(error === null || error === undefined);
	});
	return promise;
}

function changed(artifact: Artifact, cause?: unknown): ContractError {
	const detail = `${artifact.relativePath}: the stored file does not match the manifest`;
	return new ContractError("ARTIFACT_CHANGED", cause === undefined ? { detail } : { detail, cause });
}

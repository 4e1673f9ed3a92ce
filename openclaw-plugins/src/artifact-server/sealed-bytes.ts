import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, fstatSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import type { ByteRange } from "@xworkmate/contracts";
import { isScopeError, type ScopeTree } from "@xworkmate/platform/scope-tree";
import type { SealedFile } from "../export/sealed-scope.ts";
import { PluginError } from "../platform/plugin-error.ts";
import { openOwnTree } from "../scope/open-own-tree.ts";
import type { BufferPair } from "./buffer-pair.ts";

const readAt = promisify(read);
const SMALL_BYTES = 64 * 1024;

/** An open file of a sealed scope. */
export interface SealedBytes extends Disposable {
	readonly file: SealedFile;
	readonly descriptor: number;
}

/**
 * Opens a sealed scope.
 * @throws PluginError ARTIFACT_CHANGED if it is not where it was created, or cannot be read
 */
export function openSealedScope(directory: string): ScopeTree {
	try {
		return openOwnTree(directory);
	} catch (cause) {
		if (isScopeError(cause))
			throw new PluginError("ARTIFACT_CHANGED", "the run's folder was moved, replaced or deleted after it was sealed, or can't be read", {
				cause,
			});
		throw cause;
	}
}

/**
 * Opens a sealed file without following links.
 * @throws PluginError ARTIFACT_CHANGED if it is missing, cannot be read, is not a regular file, or has a different size
 */
export function openSealed(tree: ScopeTree, file: SealedFile): SealedBytes {
	const descriptor = openAt(tree, file);
	const stat = fstatSync(descriptor, { bigint: true });
	if (stat.isFile() && stat.size === BigInt(file.sizeBytes)) return { file, descriptor, [Symbol.dispose]: () => closeSync(descriptor) };
	closeSync(descriptor);
	throw changed(file);
}

function openAt(tree: ScopeTree, file: SealedFile): number {
	try {
		return tree.open(file.relativePath.split("/"));
	} catch (cause) {
		if (isScopeError(cause)) throw changed(file, cause);
		throw cause;
	}
}

/**
 * Sends a whole file and checks its hash before the last bytes, so that a reader never gets all of a changed file.
 * @throws PluginError ARTIFACT_CHANGED, ReaderGoneError
 */
export async function sendWhole({ file, descriptor }: SealedBytes, out: BufferPair): Promise<void> {
	const hash = createHash("sha256");
	let position = 0;
	while (position < file.sizeBytes) {
		const room = await out.room(1);
		const length = await readInto(descriptor, room, position, file.sizeBytes - position);
		if (length === 0) throw changed(file);
		hash.update(room.subarray(0, length));
		position += length;
		if (position === file.sizeBytes && hash.digest("hex") !== file.sha256) throw changed(file);
		out.advance(length);
	}
	if (file.sizeBytes === 0 && hash.digest("hex") !== file.sha256) throw changed(file);
}

/**
 * Sends a part of a file that `requireUnchanged` has accepted.
 * @throws PluginError ARTIFACT_CHANGED, ReaderGoneError
 */
export async function sendRange({ file, descriptor }: SealedBytes, range: ByteRange, out: BufferPair): Promise<void> {
	for (let position = range.start; position < range.end; ) {
		const room = await out.room(1);
		const length = await readInto(descriptor, room, position, range.end - position);
		if (length === 0) throw changed(file);
		out.advance(length);
		position += length;
	}
}

/**
 * Reads a part of a file that `requireUnchanged` has accepted. The caller limits its length.
 * @throws PluginError ARTIFACT_CHANGED
 */
export async function readPart({ file, descriptor }: SealedBytes, { start, end }: ByteRange): Promise<Buffer> {
	const bytes = Buffer.alloc(end - start);
	for (let filled = 0; filled < bytes.length; ) {
		const length = await readInto(descriptor, bytes.subarray(filled), start + filled, bytes.length - filled);
		if (length === 0) throw changed(file);
		filled += length;
	}
	return bytes;
}

/**
 * A part has no hash of its own, so it may be served if the file's metadata is unchanged since it was sealed, or if the whole file still
 * has its hash.
 * @throws PluginError ARTIFACT_CHANGED
 */
export async function requireUnchanged({ file, descriptor }: SealedBytes): Promise<void> {
	if (isUntouched(file, fstatSync(descriptor, { bigint: true }))) return;
	const hash = createHash("sha256");
	const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
	for (let position = 0; position < file.sizeBytes; ) {
		const length = await readInto(descriptor, buffer, position, file.sizeBytes - position);
		if (length === 0) throw changed(file);
		hash.update(buffer.subarray(0, length));
		position += length;
	}
	if (hash.digest("hex") !== file.sha256) throw changed(file);
}

function isUntouched({ identity }: SealedFile, stat: BigIntStats): boolean {
	return identity.inode === `${stat.ino}` && identity.mtimeNs === `${stat.mtimeNs}` && identity.ctimeNs === `${stat.ctimeNs}`;
}

/** Reads a small piece synchronously, because going through the thread pool would take longer than the read itself. */
async function readInto(descriptor: number, room: Buffer, position: number, wanted: number): Promise<number> {
	const length = Math.min(room.length, wanted);
	if (length <= SMALL_BYTES) return readSync(descriptor, room, 0, length, position);
	const { bytesRead } = await readAt(descriptor, room, 0, length, position);
	return bytesRead;
}

function changed({ relativePath }: SealedFile, cause?: unknown): PluginError {
	return new PluginError(
		"ARTIFACT_CHANGED",
		`${relativePath} no longer matches what was sealed: it was changed, moved or deleted, or can't be read`,
		cause === undefined ? {} : { cause },
	);
}

import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, fstatSync, fsyncSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import type { RejectionReason } from "@xworkmate/contracts";
import { WRITE_NEW_FILE } from "@xworkmate/platform/files";
import { type EntryRules, entryProblem, isScopeError, isUnchanged, type ScopeTree } from "@xworkmate/platform/scope-tree";
import { inArtifactStore } from "./artifact-store-error.ts";

const ATTEMPTS = 2;
const CHUNK_BYTES = 1024 * 1024;
/** One buffer for each worker thread is enough, because copies are synchronous. */
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);

export interface CopySource {
	readonly tree: ScopeTree;
	readonly path: string;
	readonly rules: EntryRules;
	readonly checkAbort: () => void;
}

export interface CopiedFile {
	readonly sizeBytes: number;
	readonly sha256: string;
	/** Milliseconds since the epoch. */
	readonly modifiedMs: number;
}

export type CopyResult =
	| { readonly kind: "copied"; readonly file: CopiedFile }
	| { readonly kind: "rejected"; readonly reason: RejectionReason };

/**
 * Copies one file in a consistent state: reads, hashes and writes it in one pass, and checks that it did not change during the copy. If it
 * did, the copy is retried once, and then the file is rejected as changed_while_reading, as is a file that cannot be read.
 * @throws ArtifactStoreError if the copy cannot be written; what `checkAbort` throws
 */
export function copyArtifact(source: CopySource, destination: string, durable: boolean): CopyResult {
	for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
		const result = attemptCopy(source, destination, durable);
		if (result !== "changed") return result;
		source.tree.forget();
		inArtifactStore(() => rmSync(destination, { force: true }));
	}
	return { kind: "rejected", reason: "changed_while_reading" };
}

function attemptCopy(source: CopySource, destination: string, durable: boolean): CopyResult | "changed" {
	try {
		return copyOnce(source, destination, durable);
	} catch (error) {
		if (isScopeError(error)) return "changed";
		throw error;
	}
}

function copyOnce({ tree, path, rules, checkAbort }: CopySource, destination: string, durable: boolean): CopyResult | "changed" {
	const segments = path.split("/");
	const found = tree.stat(segments);
	if (found.isDirectory()) return "changed";
	const reason = entryProblem(path, found, rules);
	if (reason !== undefined) return { kind: "rejected", reason };
	const input = tree.open(segments);
	try {
		const before = fstatSync(input, { bigint: true });
		if (!isSameFile(found, before) || entryProblem(path, before, rules) !== undefined) return "changed";
		const sha256 = writeCopy(input, destination, Number(before.size), { durable, checkAbort });
		if (sha256 === undefined || !isUnchanged(before, fstatSync(input, { bigint: true }))) return "changed";
		return { kind: "copied", file: { sizeBytes: Number(before.size), sha256, modifiedMs: Number(before.mtimeNs / 1_000_000n) } };
	} finally {
		closeSync(input);
	}
}

interface WriteOptions {
	readonly durable: boolean;
	readonly checkAbort: () => void;
}

function writeCopy(input: number, destination: string, size: number, options: WriteOptions): string | undefined {
	const output = inArtifactStore(() => openSync(destination, WRITE_NEW_FILE, 0o600));
	try {
		const sha256 = stream(input, output, size, options.checkAbort);
		if (options.durable) inArtifactStore(() => fsyncSync(output));
		return sha256;
	} finally {
		closeSync(output);
	}
}

/** The hash of exactly `size` bytes as written, or undefined if the file had fewer or more. */
function stream(input: number, output: number, size: number, checkAbort: () => void): string | undefined {
	const hash = createHash("sha256");
	let total = 0;
	for (let length = readSync(input, chunk); length > 0; length = readSync(input, chunk)) {
		checkAbort();
		total += length;
		if (total > size) return undefined;
		const bytes = chunk.subarray(0, length);
		hash.update(bytes);
		inArtifactStore(() => writeAll(output, bytes));
	}
	return total === size ? hash.digest("hex") : undefined;
}

function writeAll(output: number, bytes: Uint8Array): void {
	for (let written = 0; written < bytes.length; ) written += writeSync(output, bytes, written);
}

function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
	return a.dev === b.dev && a.ino === b.ino;
}

import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, fstatSync, readSync } from "node:fs";
import type { RejectionReason } from "@xworkmate/contracts";
import { type EntryRules, entryProblem, isScopeError, isUnchanged, type ScopeTree } from "@xworkmate/platform/scope-tree";

const ATTEMPTS = 2;
/** One buffer per worker thread is enough, because hashing is synchronous. */
const chunk = Buffer.allocUnsafeSlow(1024 * 1024);

export interface HashedFile {
	readonly sizeBytes: number;
	readonly sha256: string;
	/** The metadata of the file when it was hashed. */
	readonly stat: BigIntStats;
}

export type HashResult = { readonly file: HashedFile } | { readonly reason: RejectionReason };

/**
 * Hashes a file in a consistent state: it must not change while it is read. After one retry, it is rejected as changed_while_reading, as is
 * a file that cannot be read.
 */
export function hashFile(tree: ScopeTree, path: string, rules: EntryRules): HashResult {
	for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
		const result = attemptHash(tree, path, rules);
		if (result !== "changed") return result;
		tree.forget();
	}
	return { reason: "changed_while_reading" };
}

function attemptHash(tree: ScopeTree, path: string, rules: EntryRules): HashResult | "changed" {
	try {
		const input = tree.open(path.split("/"));
		try {
			return hashOpened(input, path, rules);
		} finally {
			closeSync(input);
		}
	} catch (error) {
		if (isScopeError(error)) return "changed";
		throw error;
	}
}

/** The entry was checked by its path before; this checks the file that was opened. */
function hashOpened(input: number, path: string, rules: EntryRules): HashResult | "changed" {
	const before = fstatSync(input, { bigint: true });
	if (before.isDirectory()) return "changed";
	const reason = entryProblem(path, before, rules);
	if (reason !== undefined) return { reason };
	const sizeBytes = Number(before.size);
	const hash = createHash("sha256");
	let total = 0;
	while (total < sizeBytes) {
		const length = readSync(input, chunk, 0, Math.min(chunk.length, sizeBytes - total), total);
		if (length === 0) return "changed";
		hash.update(chunk.subarray(0, length));
		total += length;
	}
	const after = fstatSync(input, { bigint: true });
	return isUnchanged(before, after) ? { file: { sizeBytes, sha256: hash.digest("hex"), stat: after } } : "changed";
}

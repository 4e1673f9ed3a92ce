import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, fstatSync, readSync } from "node:fs";
import type { RejectionReason } from "@xworkmate/contracts";
import { type EntryRules, entryProblem } from "../scope/entry-problem.ts";
import { isScopeError } from "../scope/scope-error.ts";
import type { ScopeTree } from "../scope/scope-tree.ts";

const ATTEMPTS = 2;
/** One per thread: hashing is synchronous, so no two use it at once. */
const chunk = Buffer.allocUnsafeSlow(1024 * 1024);

export interface HashedFile {
	readonly sizeBytes: number;
	readonly sha256: string;
	/** Of the moment it was hashed at. */
	readonly stat: BigIntStats;
}

export type HashResult = { readonly file: HashedFile } | { readonly reason: RejectionReason };

/**
 * A file's hash as it was at one moment: unchanged from before the first byte to after the last; one retry,
 * then changed_while_reading. The same reason stands for a file that cannot be read.
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
		const segments = path.split("/");
		const found = tree.stat(segments);
		if (found.isDirectory()) return "changed";
		const reason = entryProblem(path, found, rules);
		if (reason !== undefined) return { reason };
		const input = tree.open(segments);
		try {
			return hashOpened(input, found);
		} finally {
			closeSync(input);
		}
	} catch (error) {
		if (isScopeError(error)) return "changed";
		throw error;
	}
}

function hashOpened(input: number, found: BigIntStats): HashResult | "changed" {
	const before = fstatSync(input, { bigint: true });
	if (before.dev !== found.dev || before.ino !== found.ino) return "changed";
	const sizeBytes = Number(before.size);
	const hash = createHash("sha256");
	let total = 0;
	for (let length = readSync(input, chunk); length > 0; length = readSync(input, chunk)) {
		total += length;
		// A file that grows for ever is not followed.
		if (total > sizeBytes) return "changed";
		hash.update(chunk.subarray(0, length));
	}
	const after = fstatSync(input, { bigint: true });
	const unchanged =
		total === sizeBytes && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs && before.size === after.size;
	return unchanged ? { file: { sizeBytes, sha256: hash.digest("hex"), stat: after } } : "changed";
}

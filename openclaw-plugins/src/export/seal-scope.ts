import { realpathSync } from "node:fs";
import { artifactsDigest, compileGlobs, type RejectedArtifact, type RunId, type Timestamp } from "@xworkmate/contracts";
import { writeDurably } from "@xworkmate/platform/files";
import { type EntryRules, isScopeError, mediaType, modifiedAt, NameIndex, type ScopeTree, walkScope } from "@xworkmate/platform/scope-tree";
import type { BringFile } from "../attribution/bring-plan.ts";
import type { SealLimits } from "../attribution/seal-limits.ts";
import { openOwnTree } from "../scope/open-own-tree.ts";
import { bringFile } from "./bring-file.ts";
import { type HashedFile, type HashResult, hashFile } from "./hash-file.ts";
import { MAX_REJECTED, type SealedFile, type SealedScope } from "./sealed-scope.ts";

/** What the worker needs to seal one scope; every field survives a structured clone. */
export interface SealTask {
	readonly runId: RunId;
	readonly artifactDirectory: string;
	/** Path of the manifest to write. */
	readonly manifestPath: string;
	readonly sealedAt: Timestamp;
	readonly requiredGlobs: readonly string[];
	readonly pendingBackgroundTasks: number;
	/** Files of the run outside the scope, which are copied in first. */
	readonly files: readonly BringFile[];
	/** Files that were rejected beforehand. */
	readonly rejected: readonly RejectedArtifact[];
	/** Files in the scope that may be another run's. */
	readonly unattributed: readonly string[];
	readonly limits: SealLimits;
}

/**
 * Checks and hashes everything in a scope, and writes the manifest that defines what the run delivered. Synchronous, for use in a worker:
 * a promise for each file would take several times as long.
 * @throws the system error if the manifest cannot be written, or for an error that the scope's files did not cause, such as a full disk
 */
export function sealScope(task: SealTask): SealedScope {
	const found = lookInto(task);
	const items = found.items;
	const sealed: SealedScope = {
		schemaVersion: 1,
		runId: task.runId,
		sealedAt: task.sealedAt,
		items,
		count: items.length,
		totalBytes: items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
		digest: artifactsDigest(items),
		rejected: found.rejected.slice(0, MAX_REJECTED),
		rejectedCount: found.rejected.length,
		pendingBackgroundTasks: task.pendingBackgroundTasks,
	};
	writeDurably(task.manifestPath, JSON.stringify(sealed));
	return sealed;
}

interface Found {
	readonly items: SealedFile[];
	readonly rejected: RejectedArtifact[];
}

function lookInto(task: SealTask): Found {
	try {
		using tree = openOwnTree(task.artifactDirectory);
		const refused = task.files.flatMap((file) => {
			const reason = bringFile(file, task.artifactDirectory);
			return reason === undefined ? [] : [{ path: file.relativePath, reason }];
		});
		const found = hashAll(tree, task);
		return { items: found.items, rejected: [...found.rejected, ...task.rejected, ...refused] };
	} catch (error) {
		if (!isScopeError(error)) throw error;
		return { items: [], rejected: [{ path: ".", reason: wasReplaced(task.artifactDirectory) ? "symlink" : "changed_while_reading" }] };
	}
}

function wasReplaced(directory: string): boolean {
	try {
		return realpathSync(directory) !== directory;
	} catch (error) {
		if (isScopeError(error)) return false;
		throw error;
	}
}

function hashAll(tree: ScopeTree, { requiredGlobs, unattributed, limits }: SealTask): Found {
	const ofOthers = new Set(unattributed);
	const globs = compileGlobs(requiredGlobs);
	const rules: EntryRules = {
		maxFileBytes: limits.maxFileBytes,
		isRequired: (path) => globs.some((glob) => glob.matches(path)),
		isAttributed: (path) => !ofOthers.has(path),
	};
	const walk = walkScope(tree, { rules, budget: { entries: limits.maxEntries } });
	const names = new NameIndex();
	for (const path of walk.files) names.add(path);
	const rejected = [...walk.rejected];
	const items: SealedFile[] = [];
	for (const path of walk.files) {
		const result = names.clashesWithOthers(path)
			? refuse("name_collision")
			: items.length < limits.maxFiles
				? hashFile(tree, path, rules)
				: refuse("too_many");
		if ("file" in result) items.push(toSealedFile(path, result.file));
		else rejected.push({ path, reason: result.reason });
	}
	return { items, rejected };
}

function refuse(reason: RejectedArtifact["reason"]): HashResult {
	return { reason };
}

function toSealedFile(relativePath: string, { sizeBytes, sha256, stat }: HashedFile): SealedFile {
	return {
		relativePath,
		sizeBytes,
		sha256,
		mediaType: mediaType(relativePath),
		modifiedAt: modifiedAt(Number(stat.mtimeNs / 1_000_000n)),
		identity: { inode: `${stat.ino}`, mtimeNs: `${stat.mtimeNs}`, ctimeNs: `${stat.ctimeNs}` },
	};
}

import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Artifact, artifactRef, compareBytes, compileGlobs, type RejectedArtifact } from "@xworkmate/contracts";
import { syncDirectory } from "@xworkmate/platform/files";
import { type EntryRules, mediaType, modifiedAt, NameIndex, type ScopeTree, walkScope } from "@xworkmate/platform/scope-tree";
import { toArtifactStoreError } from "./artifact-store-error.ts";
import { attributeTo } from "./attribution.ts";
import type { CollectOutcome, CollectTask } from "./collect-task.ts";
import { copyArtifact } from "./copy-artifact.ts";
import { openSource } from "./open-source.ts";
import { discardCopy, publishCopy } from "./publish-copy.ts";
import { isInside } from "./workspace/resolve-working-directory.ts";

/**
 * If there are at most this many files, each is synced to disk, which costs more than ten times what creating it does. If a power cut
 * damages a larger set, the hash check on reading reports ARTIFACT_CHANGED.
 */
const DURABLE_FILES = 64;

interface Candidate {
	readonly tree: ScopeTree;
	readonly path: string;
	readonly rules: EntryRules;
}

class CollectAborted extends Error {
	override readonly name = "CollectAborted";
}

/**
 * Collects one run's files, synchronously, in the artifact store's worker: promises for each file were measured to take 3 to 6 times as
 * long.
 *
 * The scope comes first, then the extra directories in the given order. Their files get paths as if they were in the scope. Paths within
 * one directory that collide on a case-insensitive or normalizing disk are all rejected as name_collision; of paths that collide across
 * directories, that of the earlier directory wins.
 */
export function collectScope(task: CollectTask): CollectOutcome {
	using trees = new DisposableStack();
	try {
		return new ScopeCollection(task, trees).run();
	} catch (error) {
		rmSync(task.staging, { recursive: true, force: true });
		if (error instanceof CollectAborted) return { kind: "aborted" };
		const { code, message } = toArtifactStoreError(error);
		return { kind: "failed", code, message };
	}
}

class ScopeCollection {
	readonly #task: CollectTask;
	readonly #trees: DisposableStack;
	readonly #budget: { entries: number };
	readonly #taken = new NameIndex();
	readonly #candidates: Candidate[] = [];
	readonly #items = new Map<string, Artifact>();
	readonly #rejected: RejectedArtifact[] = [];

	constructor(task: CollectTask, trees: DisposableStack) {
		this.#task = task;
		this.#trees = trees;
		this.#budget = { entries: task.limits.maxEntries };
	}

	run(): CollectOutcome {
		const { artifactDirectory, extraDirectories } = this.#task;
		const isAttributed = attributeTo(this.#task);
		this.#search(artifactDirectory, () => true);
		for (const directory of outermost(extraDirectories, artifactDirectory)) this.#search(directory, isAttributed);
		this.#copyAll();
		this.#publish();
		const items = [...this.#items.keys()].sort(compareBytes).flatMap((path) => this.#items.get(path) ?? []);
		return { kind: "collected", items, rejected: this.#rejected };
	}

	#search(directory: string, isAttributed: ReturnType<typeof attributeTo>): void {
		const source = openSource(directory);
		if (source.kind === "missing") return;
		if (source.kind === "refused") return void this.#rejected.push({ path: ".", reason: source.reason });
		const tree = this.#trees.use(source.tree);
		const globs = compileGlobs(this.#task.requiredGlobs);
		const rules: EntryRules = {
			maxFileBytes: this.#task.limits.maxFileBytes,
			isRequired: (path) => globs.some((glob) => glob.matches(path)),
			isAttributed: (path, stat) => isAttributed(join(directory, path), stat),
		};
		const isOwn = this.#ownDirectories(directory);
		const walk = walkScope(tree, { rules, budget: this.#budget, isOwn, checkAbort: this.#checkAbort });
		for (const rejected of walk.rejected) this.#rejected.push(rejected);
		for (const path of this.#withoutClashes(walk.files)) this.#candidates.push({ tree, path, rules });
	}

	/** Directories to skip in an extra directory: the runs' scopes, this run's scope, and the artifact store. */
	#ownDirectories(directory: string): (path: string) => boolean {
		const { artifactDirectory, root } = this.#task;
		if (directory === artifactDirectory) return () => false;
		return (path) => path === ".xworkmate" || [artifactDirectory, root].includes(join(directory, path));
	}

	#withoutClashes(paths: readonly string[]): readonly string[] {
		const here = new NameIndex();
		for (const path of paths) here.add(path);
		const kept: string[] = [];
		for (const path of paths) {
			if (this.#taken.clashes(path) || here.clashesWithOthers(path)) this.#rejected.push({ path, reason: "name_collision" });
			else kept.push(path);
		}
		for (const path of kept) this.#taken.add(path);
		return kept;
	}

	#copyAll(): void {
		mkdirSync(this.#task.staging, { recursive: true, mode: 0o700 });
		const { maxFiles } = this.#task.limits;
		for (const { path } of this.#candidates.splice(maxFiles)) this.#rejected.push({ path, reason: "too_many" });
		const durable = this.#candidates.length <= DURABLE_FILES;
		const made = new Set<string>();
		for (const candidate of this.#candidates) {
			this.#checkAbort();
			this.#copy(candidate, made, durable);
		}
		if (durable) for (const directory of [...made, this.#task.staging]) syncDirectory(directory);
	}

	#copy(candidate: Candidate, made: Set<string>, durable: boolean): void {
		const { path } = candidate;
		const destination = join(this.#task.staging, path);
		this.#makeFolders(dirname(destination), made);
		const result = copyArtifact({ ...candidate, checkAbort: this.#checkAbort }, destination, durable);
		if (result.kind === "rejected") return void this.#rejected.push({ path, reason: result.reason });
		const { sizeBytes, sha256, modifiedMs } = result.file;
		this.#items.set(path, {
			relativePath: path,
			sizeBytes,
			sha256,
			mediaType: mediaType(path),
			modifiedAt: modifiedAt(modifiedMs),
			artifactRef: artifactRef(this.#task.runId, path),
		});
	}

	#makeFolders(folder: string, made: Set<string>): void {
		if (made.has(folder) || folder === this.#task.staging) return;
		this.#makeFolders(dirname(folder), made);
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		made.add(folder);
	}

	/** Publishes the copy. A run without accepted files gets no folder in the artifact store. */
	#publish(): void {
		const { root, runId, staging } = this.#task;
		const destination = join(root, runId);
		this.#checkAbort();
		if (this.#items.size > 0) publishCopy(staging, destination);
		else {
			discardCopy(destination, `${staging}.old`);
			rmSync(staging, { recursive: true, force: true });
		}
	}

	readonly #checkAbort = (): void => {
		if (Atomics.load(this.#task.abort, 0) !== 0) throw new CollectAborted("the collection was aborted");
	};
}

/** The directories that are neither inside one another nor inside the scope, so that each file is examined once. */
function outermost(directories: readonly string[], scope: string): readonly string[] {
	const absolute = [...new Set(directories.map((directory) => resolve(directory)))];
	const isBelowAnother = (one: string) => absolute.some((other) => other !== one && isInside(one, other));
	return absolute.filter((one) => !isInside(one, scope) && !isBelowAnother(one));
}

import { randomUUID } from "node:crypto";
import { lstatSync, opendirSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Artifact, ArtifactPath, ContractError, type FoundFile, RunId } from "@xworkmate/contracts";
import { lookAt } from "@xworkmate/platform/files";
import { holdDirectory } from "@xworkmate/platform/scope-tree";
import type { ArtifactStore, Collected, CollectRequest, StoredFile } from "../ports/artifacts/artifact-store.ts";
import { type ArtifactLimits, defaultArtifactLimits } from "./artifact-limits.ts";
import { ArtifactStoreError, inArtifactStore, toArtifactStoreError } from "./artifact-store-error.ts";
import { type CopyWorkers, createCopyWorkers } from "./copy-workers.ts";
import { discardCopy } from "./publish-copy.ts";
import { openStored } from "./stored-file.ts";
import { VerifiedFiles } from "./verified-files.ts";
import { changeTimes } from "./workspace/folder-listing.ts";

/** A run's id never begins with a dot, so nothing in this folder can be mistaken for a run. */
const STAGING = ".staging";

export interface ArtifactStoreOptions {
	/** `<home>/bridge/artifacts`, absolute. One process owns it. */
	readonly root: string;
	readonly limits?: Partial<ArtifactLimits>;
	/** Closed when the artifact store is disposed of. */
	readonly workers?: CopyWorkers;
}

/**
 * The artifact store on disk (docs/protocol.md#artifacts): a run's copy is in `<root>/<runId>/`, with files of mode 0600.
 *
 * Once `collect` has returned, the scope no longer matters: files are served only from the copy, so late writes by the run's leftover
 * processes, or by the next turn in the same workspace, change nothing. A copy appears by a single rename, so it is never incomplete. What
 * a crash leaves in the staging folder is removed before the first collection or removal. A collection or removal that fails rejects with
 * an ArtifactStoreError. An aborted `collect` rejects with the signal's reason and leaves the earlier copy unchanged. An abort that comes
 * just before the new copy appears has no effect.
 */
export function createArtifactStore({
	root,
	limits,
	workers = createCopyWorkers(),
}: ArtifactStoreOptions): ArtifactStore & AsyncDisposable {
	return new FileArtifactStore(root, { ...defaultArtifactLimits, ...limits }, workers);
}

class FileArtifactStore implements ArtifactStore, AsyncDisposable {
	readonly #root: string;
	readonly #limits: ArtifactLimits;
	readonly #workers: CopyWorkers;
	readonly #verified = new VerifiedFiles();
	#ready: Promise<void> | undefined;

	constructor(root: string, limits: ArtifactLimits, workers: CopyWorkers) {
		this.#root = root;
		this.#workers = workers;
		this.#limits = limits;
	}

	look(paths: ReadonlySet<string>, since: number): Promise<FoundFile | undefined> {
		return lookAt(paths, since);
	}

	changeTimes(directory: string): Promise<ReadonlyMap<string, number> | undefined> {
		return changeTimes(directory);
	}

	/** True if the scope is empty. Most runs only answer, and then neither a worker nor a copy is needed. */
	isEmpty(artifactDirectory: string): boolean {
		try {
			return isEmptyDirectory(artifactDirectory);
		} catch {
			// Collecting the scope will report what is wrong with it.
			return false;
		}
	}

	async collect(request: CollectRequest): Promise<Collected> {
		const { signal, contract, ...rest } = request;
		signal.throwIfAborted();
		await this.#prepared();
		signal.throwIfAborted();
		if (request.extraDirectories.length === 0 && this.isEmpty(request.artifactDirectory)) {
			inArtifactStore(() => discardCopy(join(this.#root, request.runId), this.#aside(request.runId)));
			return { items: [], rejected: [] };
		}
		const abort = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
		const stop = () => void Atomics.store(abort, 0, 1);
		signal.addEventListener("abort", stop, { once: true });
		try {
			const requiredGlobs = contract.required.map(({ glob }) => glob);
			const place = { root: this.#root, staging: this.#aside(request.runId), limits: this.#limits };
			const result = await this.#workers.collect({ ...rest, ...place, requiredGlobs, abort });
			if (result.kind === "collected") return { items: result.items, rejected: result.rejected };
			signal.throwIfAborted();
			if (result.kind === "failed") throw new ArtifactStoreError(result.code, result.message);
			throw new ArtifactStoreError("VAULT_IO", "the collection was aborted without a request");
		} finally {
			signal.removeEventListener("abort", stop);
		}
	}

	has(runId: RunId, artifact: Artifact): boolean {
		const stats = lstatSync(this.#path(runId, artifact), { throwIfNoEntry: false });
		return stats?.isFile() === true && stats.size === artifact.sizeBytes;
	}

	async open(runId: RunId, artifact: Artifact): Promise<StoredFile> {
		return await openStored(this.#path(runId, artifact), artifact, this.#verified);
	}

	async remove(runId: RunId): Promise<number> {
		await this.#prepared();
		return await this.#workers.remove({ root: this.#root, runId, aside: this.#aside(runId) });
	}

	/** Closes the workers; a collection in progress fails. */
	async [Symbol.asyncDispose](): Promise<void> {
		await this.#workers[Symbol.asyncDispose]();
	}

	#path(runId: RunId, { relativePath }: Artifact): string {
		if (!RunId.safeParse(runId).success || !ArtifactPath.safeParse(relativePath).success) throw new ContractError("FORBIDDEN_PATH");
		return join(this.#root, runId, relativePath);
	}

	#aside(runId: RunId): string {
		return join(this.#root, STAGING, `${runId}.${randomUUID()}`);
	}

	#prepared(): Promise<void> {
		this.#ready ??= clearStaging(join(this.#root, STAGING)).catch((error: unknown) => {
			this.#ready = undefined;
			throw toArtifactStoreError(error);
		});
		return this.#ready;
	}
}

/**
 * True if the directory contains nothing. False also if its path contains a link.
 * @throws the system's error if the directory cannot be read
 */
function isEmptyDirectory(directory: string): boolean {
	using held = holdDirectory(directory, directory);
	if (held === undefined) return false;
	using entries = opendirSync(held.path, { bufferSize: 1 });
	return entries.readSync() === null;
}

async function clearStaging(staging: string): Promise<void> {
	await rm(staging, { recursive: true, force: true });
	await mkdir(staging, { recursive: true, mode: 0o700 });
}

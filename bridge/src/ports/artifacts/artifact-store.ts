import type { Artifact, ArtifactContract, ByteRange, FoundFile, RejectedArtifact, RunId } from "@xworkmate/contracts";

export interface CollectRequest {
	readonly runId: RunId;
	/**
	 * Absolute real path from RunWorkspace. Any other spelling of the path is refused, as a link would be. The directory was created empty
	 * for the run, so everything in it belongs to this run.
	 */
	readonly artifactDirectory: string;
	readonly contract: ArtifactContract;
	/**
	 * More directories to search, as absolute real paths (contract.expectedArtifactDirs, resolved below the working directory). Their files
	 * get paths relative to their directory, as if they were in the scope.
	 */
	readonly extraDirectories: readonly string[];
	/** Absolute paths that this run's tool events named, so that these files belong to it. */
	readonly namedPaths: ReadonlySet<string>;
	/** True if no other run was active during this one, so that an mtime within the window is enough to attribute a file to it. */
	readonly exclusive: boolean;
	/** Milliseconds since the epoch: the start and the end of the run, compared with mtimes in the extra directories. */
	readonly window: { readonly from: number; readonly to: number };
	readonly signal: AbortSignal;
}

export interface Collected {
	/** The accepted files, copied into the artifact store and hashed, in byte order of their paths. */
	readonly items: readonly Artifact[];
	readonly rejected: readonly RejectedArtifact[];
}

/** The bridge's own copy of the accepted files, which agents and gateways cannot change. */
export interface ArtifactStore {
	/** True if the scope exists and contains nothing, not even a file that would be rejected. */
	isEmpty(artifactDirectory: string): boolean;
	/**
	 * What is found at these absolute paths, which may be outside the scope: something that changed at or after `since`, in milliseconds;
	 * only things that did not; or nothing at all. Undefined if a path could not be examined, and nothing changed at the others.
	 */
	look(paths: ReadonlySet<string>, since: number): Promise<FoundFile | undefined>;
	/**
	 * When each regular file below a folder last changed, in milliseconds, by its absolute path. Does not look into `.git`, `node_modules` and
	 * the bridge's own folders below it. Undefined if there are too many files, or if the folder can't be listed.
	 */
	changeTimes(directory: string): Promise<ReadonlyMap<string, number> | undefined>;
	/** Copies the acceptable files of the scope and of the extra directories. A repeat replaces the run's earlier copy. */
	collect(request: CollectRequest): Promise<Collected>;
	/** True if the stored file exists and has the right size. */
	has(runId: RunId, artifact: Artifact): boolean;
	/** @throws ContractError ARTIFACT_CHANGED if the stored file is missing or has another size */
	open(runId: RunId, artifact: Artifact): Promise<StoredFile>;
	/** Removes a run's bytes, and returns how many were removed. */
	remove(runId: RunId): Promise<number>;
}

/**
 * The stored bytes of an accepted file. If they have changed, `verify` and every read of the whole file throw ContractError
 * ARTIFACT_CHANGED. A read of a part does not notice a change.
 */
export interface StoredFile extends AsyncDisposable {
	/** A small file in full, checked before it is returned. */
	readWhole(): Promise<Buffer>;
	/** Checks the whole file, so that a part may be read. */
	verify(): Promise<void>;
	/**
	 * A range in pieces. For a whole file, the hash is checked before the last piece is yielded, so that a reader never gets all of a damaged
	 * file. With `reuse`, two buffers alternate, so a piece is valid until the second piece after it is requested.
	 */
	pieces(range: ByteRange, reuse: boolean): AsyncIterable<Buffer>;
}

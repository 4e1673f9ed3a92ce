import type { Artifact, ArtifactContract, ByteRange, RejectedArtifact, RunId } from "@xworkmate/contracts";

export interface CollectRequest {
	readonly runId: RunId;
	/**
	 * Absolute real path, as RunWorkspace gives it (another spelling is refused as a link would be); was
	 * created empty for the run, so what is in it is this run's.
	 */
	readonly artifactDirectory: string;
	readonly contract: ArtifactContract;
	/**
	 * Absolute real directories to look in besides (contract.expectedArtifactDirs, resolved under the working
	 * directory). Their files take the place they would have in the scope: paths are relative to the directory.
	 */
	readonly extraDirectories: readonly string[];
	/** Absolute paths that this run's tool events named: they are attributed. */
	readonly namedPaths: ReadonlySet<string>;
	/** True when no other run was active while this one ran: then a file's mtime in the window attributes it. */
	readonly exclusive: boolean;
	/** Milliseconds since the epoch: start and end of the run, for mtimes in the extra directories. */
	readonly window: { readonly from: number; readonly to: number };
	readonly signal: AbortSignal;
}

export interface Collected {
	/** Accepted, copied into the artifact store, hashed; in byte order of the paths. */
	readonly items: readonly Artifact[];
	readonly rejected: readonly RejectedArtifact[];
}

/** The bridge's own copy of what was accepted: agents and gateways cannot change it. */
export interface ArtifactStore {
	/** Copies what is acceptable in the scope. Repeating it replaces the run's earlier copy. */
	collect(request: CollectRequest): Promise<Collected>;
	/** True when the stored file is there and has its size. */
	has(runId: RunId, artifact: Artifact): boolean;
	/** @throws ContractError ARTIFACT_CHANGED when the stored file is not there, or not of its size */
	open(runId: RunId, artifact: Artifact): Promise<StoredFile>;
	/** Removes a run's bytes; returns how many there were. */
	remove(runId: RunId): Promise<number>;
}

/** The stored bytes of an accepted file. Each way to read them throws ContractError ARTIFACT_CHANGED for other bytes than those. */
export interface StoredFile extends AsyncDisposable {
	/** The whole of a small file, checked before it is returned. */
	readWhole(): Promise<Buffer>;
	/** Checks all of it, so that a part may be read. */
	verify(): Promise<void>;
	/**
	 * A range in pieces. The hash of a whole file is checked before the last piece is given, so that no one ever gets
	 * all of a damaged file. With `reuse`, a piece is valid until the next but one is asked for: two buffers take turns.
	 */
	pieces(range: ByteRange, reuse: boolean): AsyncIterable<Buffer>;
}

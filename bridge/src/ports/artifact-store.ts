import type { Artifact, ArtifactContract, RejectedArtifact, RunId } from "@xworkmate/contracts";

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
	/** Absolute path of a stored file. Does not check that it exists. */
	path(runId: RunId, relativePath: string): string;
	/** Removes a run's bytes; returns how many there were. */
	remove(runId: RunId): Promise<number>;
}

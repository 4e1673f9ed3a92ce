import type { Artifact, RejectedArtifact } from "@xworkmate/contracts";
import type { CollectRequest } from "../ports/artifacts/artifact-store.ts";
import type { ArtifactLimits } from "./artifact-limits.ts";

/** What the worker needs to collect one run; every field survives a structured clone. */
export interface CollectTask extends Omit<CollectRequest, "contract" | "signal"> {
	/** The artifact store's root, an absolute path. */
	readonly root: string;
	/** Absolute, below the root, used only by this collection. */
	readonly staging: string;
	readonly requiredGlobs: readonly string[];
	readonly limits: ArtifactLimits;
	/** One shared cell: 1 means stop at the next entry or chunk. */
	readonly abort: Int32Array;
}

export type CollectFailureCode = "VAULT_FULL" | "VAULT_IO";

/** The outcome as data, because an error loses its class on the way back from the worker. */
export type CollectOutcome =
	| { readonly kind: "collected"; readonly items: readonly Artifact[]; readonly rejected: readonly RejectedArtifact[] }
	| { readonly kind: "aborted" }
	| { readonly kind: "failed"; readonly code: CollectFailureCode; readonly message: string };

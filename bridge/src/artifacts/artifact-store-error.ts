import { errorMessage, isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import type { CollectFailureCode } from "./collect-task.ts";

/** The bridge's own store could not be written or read. `VAULT_FULL`: no space or quota left. */
export class ArtifactStoreError extends Error {
	override readonly name = "ArtifactStoreError";
	readonly code: CollectFailureCode;

	constructor(code: CollectFailureCode, message: string, options: ErrorOptions = {}) {
		super(message, options);
		this.code = code;
	}
}

/** Wraps any other error in an ArtifactStoreError. */
export function toArtifactStoreError(error: unknown): ArtifactStoreError {
	if (error instanceof ArtifactStoreError) return error;
	const full = isDiskFullCode(systemErrorCode(error));
	const cause = errorMessage(error);
	return new ArtifactStoreError(full ? "VAULT_FULL" : "VAULT_IO", `the artifact store failed: ${cause}`, { cause: error });
}

/**
 * Runs a step of the artifact store, so that its errors are never mistaken for the scope's.
 * @throws ArtifactStoreError
 */
export function inArtifactStore<T>(step: () => T): T {
	try {
		return step();
	} catch (error) {
		throw toArtifactStoreError(error);
	}
}

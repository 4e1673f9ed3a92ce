import type { Artifact, RunId, Snapshot } from "@xworkmate/contracts";
import type { StoredFile } from "../artifacts/artifact-store.ts";

/** The results of a run that has ended: its files and its answer. */
export interface RunResults {
	/** @throws ContractError NOT_FOUND, RUN_NOT_TERMINAL, RUN_EXPIRED */
	files(runId: RunId): Promise<RunFiles>;
	/**
	 * The last message that is not blank; undefined if there is none.
	 * @throws ContractError NOT_FOUND, RUN_NOT_TERMINAL
	 */
	answer(runId: RunId): Promise<RunAnswer | undefined>;
}

export interface RunFiles {
	readonly snapshot: Snapshot;
	/** Every file, in manifest order, in pages. */
	pages(): AsyncIterable<readonly Artifact[]>;
	/** @throws ContractError NOT_FOUND */
	find(relativePath: string): Promise<Artifact>;
	/** True if the stored file exists and has the right size. Cheaper than `open`. */
	isStored(artifact: Artifact): boolean;
	/** @throws ContractError ARTIFACT_CHANGED if the stored file is missing or has another size */
	open(artifact: Artifact): Promise<StoredFile>;
}

export interface RunAnswer {
	/** UTF-8 bytes of the whole text. */
	readonly totalBytes: number;
	/** The text in UTF-8, piece by piece. */
	pieces(): AsyncIterable<Buffer>;
}

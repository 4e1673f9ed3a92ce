import { type Artifact, ContractError, isTerminal, type RunId, type Snapshot } from "@xworkmate/contracts";
import type { ArtifactIndex } from "../../ports/artifact-index.ts";
import type { ArtifactStore } from "../../ports/artifact-store.ts";
import type { RunService } from "../../ports/run-service.ts";

/** What is served of a run that has ended. */
export interface ArtifactSource {
	readonly runs: RunService;
	readonly store: Pick<ArtifactIndex, "findArtifact" | "readArtifacts" | "isExpired">;
	readonly artifactStore: Pick<ArtifactStore, "path">;
}

const PAGE_FILES = 500;

/** The snapshot of a run whose files may be fetched. @throws ContractError NOT_FOUND, RUN_NOT_TERMINAL, RUN_EXPIRED */
export async function servableRun({ runs, store }: ArtifactSource, runId: RunId): Promise<Snapshot> {
	const snapshot = await terminalRun(runs, runId);
	if (await store.isExpired(runId)) throw new ContractError("RUN_EXPIRED");
	return snapshot;
}

/** @throws ContractError NOT_FOUND, RUN_NOT_TERMINAL */
export async function terminalRun(runs: RunService, runId: RunId): Promise<Snapshot> {
	const snapshot = await runs.snapshot(runId);
	if (!isTerminal(snapshot.status)) throw new ContractError("RUN_NOT_TERMINAL");
	return snapshot;
}

/** Every file of a run, in manifest order, in pages. */
export async function* artifactPages({ store }: ArtifactSource, runId: RunId): AsyncGenerator<readonly Artifact[]> {
	let after: string | undefined;
	for (;;) {
		const page = await store.readArtifacts(runId, after, PAGE_FILES);
		if (page.length > 0) yield page;
		if (page.length < PAGE_FILES) return;
		after = page.at(-1)?.relativePath;
	}
}

import { type Artifact, ContractError, isTerminal, type RunId, type Snapshot } from "@xworkmate/contracts";
import type { ArtifactIndex } from "../../../ports/artifacts/artifact-index.ts";
import type { ArtifactStore } from "../../../ports/artifacts/artifact-store.ts";
import type { RunFiles, RunResults } from "../../../ports/runs/run-results.ts";
import type { RunService } from "../../../ports/runs/run-service.ts";
import { openAnswer } from "./run-answer.ts";

type ArtifactReader = Pick<ArtifactIndex, "findArtifact" | "readArtifacts" | "isExpired">;
type StoredFiles = Pick<ArtifactStore, "has" | "open">;

const PAGE_FILES = 500;

/** Results of runs that have ended, read from the log, the manifest and the bridge's own copies. */
export function createRunResults(runs: Pick<RunService, "snapshot" | "log">, manifest: ArtifactReader, files: StoredFiles): RunResults {
	return {
		files: async (runId) => {
			const snapshot = await terminalRun(runs, runId);
			if (await manifest.isExpired(runId)) throw new ContractError("RUN_EXPIRED");
			return filesOf(snapshot, manifest, files);
		},
		answer: async (runId) => openAnswer(runs.log, await terminalRun(runs, runId)),
	};
}

async function terminalRun(runs: Pick<RunService, "snapshot">, runId: RunId): Promise<Snapshot> {
	const snapshot = await runs.snapshot(runId);
	if (!isTerminal(snapshot.status)) throw new ContractError("RUN_NOT_TERMINAL");
	return snapshot;
}

function filesOf(snapshot: Snapshot, manifest: ArtifactReader, files: StoredFiles): RunFiles {
	const { runId } = snapshot;
	return {
		snapshot,
		pages: () => pagesOf(manifest, runId),
		find: async (relativePath) => {
			const artifact = await manifest.findArtifact(runId, relativePath);
			if (artifact === undefined) throw new ContractError("NOT_FOUND", { detail: "The run has no such file." });
			return artifact;
		},
		isStored: (artifact) => files.has(runId, artifact),
		open: (artifact) => files.open(runId, artifact),
	};
}

async function* pagesOf(manifest: ArtifactReader, runId: RunId): AsyncGenerator<readonly Artifact[]> {
	let after: string | undefined;
	for (;;) {
		const page = await manifest.readArtifacts(runId, after, PAGE_FILES);
		if (page.length > 0) yield page;
		if (page.length < PAGE_FILES) return;
		after = page.at(-1)?.relativePath;
	}
}

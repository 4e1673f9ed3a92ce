import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openArtifactContract, RunId } from "@xworkmate/contracts";
import { afterAll } from "vitest";
import type { ArtifactLimits } from "../../src/artifacts/artifact-limits.ts";
import { createCopyWorkers } from "../../src/artifacts/copy-workers.ts";
import { createArtifactStore } from "../../src/artifacts/file-artifact-store.ts";
import type { ArtifactStore, Collected, CollectRequest } from "../../src/ports/artifacts/artifact-store.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

// Starting a thread takes longer than most tests: a file's tests share them.
const workers = createCopyWorkers();
afterAll(() => workers[Symbol.asyncDispose]());

export const RUN = RunId.parse("run-1");

export interface VaultFixture extends AsyncDisposable {
	readonly artifactStore: ArtifactStore;
	/** The artifact store's root. */
	readonly root: string;
	/** The run's scope, empty. */
	readonly scope: string;
	/** Beside the scope and the artifact store. */
	readonly elsewhere: string;
	/** Writes a file below the scope. */
	write(path: string, content?: string | Uint8Array): void;
	collect(request?: Partial<CollectRequest>): Promise<Collected>;
	/** Collects and reads back every accepted file: path -> text. */
	stored(request?: Partial<CollectRequest>): Promise<Record<string, string>>;
}

export async function vaultFixture(limits: Partial<ArtifactLimits> = {}): Promise<VaultFixture> {
	const directory = await temporaryDirectory();
	const root = join(directory.path, "home", "bridge", "artifacts");
	const scope = join(directory.path, "workspace", "scope");
	const elsewhere = join(directory.path, "elsewhere");
	for (const path of [scope, elsewhere]) mkdirSync(path, { recursive: true });
	const artifactStore = createArtifactStore({ root, limits, workers });
	const underWay = new Set<Promise<unknown>>();
	const collect = async (request: Partial<CollectRequest> = {}) => {
		const collecting = artifactStore.collect({ ...openRequest(scope), ...request });
		underWay.add(collecting);
		return collecting.finally(() => underWay.delete(collecting));
	};
	return {
		artifactStore,
		root,
		scope,
		elsewhere,
		write: (path, content = path) => writeFile(join(scope, path), content),
		collect,
		stored: async (request) => readBack(artifactStore, await collect(request)),
		async [Symbol.asyncDispose]() {
			// A property that ran out of time leaves one behind, which would write into the folder being removed.
			await Promise.allSettled(underWay);
			await directory[Symbol.asyncDispose]();
		},
	};
}

export function openRequest(artifactDirectory: string): CollectRequest {
	return {
		runId: RUN,
		artifactDirectory,
		contract: openArtifactContract,
		extraDirectories: [],
		namedPaths: new Set(),
		exclusive: false,
		window: { from: 0, to: 0 },
		signal: new AbortController().signal,
	};
}

export function writeFile(path: string, content: string | Uint8Array): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
}

export function sha256(content: string | Uint8Array): string {
	return createHash("sha256").update(content).digest("hex");
}

async function readBack(artifactStore: ArtifactStore, { items }: Collected): Promise<Record<string, string>> {
	const texts = items.map(async (artifact): Promise<[string, string]> => {
		await using file = await artifactStore.open(RUN, artifact);
		return [artifact.relativePath, (await file.readWhole()).toString()];
	});
	return Object.fromEntries(await Promise.all(texts));
}

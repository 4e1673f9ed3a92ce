import { join } from "node:path";
import type { RunId } from "@xworkmate/contracts";
import { readIfThere } from "@xworkmate/platform/files";
import { PluginError } from "../platform/plugin-error.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { SealedScope } from "./sealed-scope.ts";

/** How many manifests are kept in memory: one of 10,000 files takes about 4 MB, and callers ask for only a few runs at a time. */
const CACHED = 4;

/** The manifests of collected runs, loaded on demand. */
export class SealedScopes {
	readonly #folder: string;
	readonly #cache = new Map<RunId, SealedScope>();

	constructor(folder: string) {
		this.#folder = folder;
	}

	path(runId: RunId): string {
		return join(this.#folder, `${runId}.json`);
	}

	/** @throws PluginError NOT_COLLECTED, or INTERNAL if the manifest is missing or cannot be read */
	require({ runId, collectedAt }: RunRecord): SealedScope {
		if (collectedAt === undefined) throw new PluginError("NOT_COLLECTED", "the run's files have not been collected yet");
		const known = this.#cache.get(runId);
		const sealed = known ?? this.#read(runId);
		this.#cache.delete(runId);
		this.#cache.set(runId, sealed);
		for (const oldest of [...this.#cache.keys()].slice(0, -CACHED)) this.#cache.delete(oldest);
		return sealed;
	}

	#read(runId: RunId): SealedScope {
		try {
			return SealedScope.parse(JSON.parse(readIfThere(this.path(runId)) ?? ""));
		} catch (cause) {
			throw new PluginError("INTERNAL", "the manifest of the run's files is missing, damaged or unreadable", { cause });
		}
	}
}

import { availableParallelism } from "node:os";
import { Tinypool } from "tinypool";
import { toArtifactStoreError } from "./artifact-store-error.ts";
import type { CopyOutcome, CopyTask } from "./copy-worker.ts";

const MAX_WORKERS = 4;

/** The threads that do the artifact store's synchronous work. Idle ones do not keep the process alive. */
export interface CopyWorkers extends AsyncDisposable {
	/** Runs a task when a thread is free. @throws ArtifactStoreError if the thread fails */
	run(task: CopyTask): Promise<CopyOutcome>;
}

/** Starts the threads; one stays loaded, because loading takes longer than an ordinary collection. */
export function createCopyWorkers(): CopyWorkers {
	const pool = new Tinypool({
		filename: new URL("./copy-worker.ts", import.meta.url).href,
		minThreads: 1,
		maxThreads: Math.min(MAX_WORKERS, availableParallelism()),
		idleTimeout: 60_000,
	});
	return {
		async run(task) {
			try {
				return await pool.run(task);
			} catch (error) {
				throw toArtifactStoreError(error);
			}
		},
		[Symbol.asyncDispose]: () => pool.destroy(),
	};
}

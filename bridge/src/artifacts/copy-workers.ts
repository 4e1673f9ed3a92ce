import { availableParallelism } from "node:os";
import { Tinypool } from "tinypool";
import { toArtifactStoreError } from "./artifact-store-error.ts";
import type { CopyOutcome, CopyTask } from "./copy-worker.ts";

const MAX_WORKERS = 4;

/** The threads that do the artifact store's synchronous work. Idle ones do not keep the process alive. */
export interface CopyWorkers extends AsyncDisposable {
	/**
	 * Runs a task when a thread is free.
	 * @throws ArtifactStoreError if the thread fails
	 */
	run(task: CopyTask): Promise<CopyOutcome>;
}

/** A bridge that has just started has other work to do. The threads start earlier if a collection needs them. */
const START_AFTER_MS = 2_000;

/** Starts the threads soon, or when they are first needed. One stays loaded, because loading takes longer than an ordinary collection. */
export function createCopyWorkers(): CopyWorkers {
	let pool: Tinypool | undefined;
	const started = () => {
		pool ??= new Tinypool({
			filename: new URL("./copy-worker.ts", import.meta.url).href,
			minThreads: 1,
			maxThreads: Math.min(MAX_WORKERS, availableParallelism()),
			idleTimeout: 60_000,
		});
		return pool;
	};
	const timer = setTimeout(started, START_AFTER_MS).unref();
	return {
		async run(task) {
			clearTimeout(timer);
			try {
				return await started().run(task);
			} catch (error) {
				throw toArtifactStoreError(error);
			}
		},
		async [Symbol.asyncDispose]() {
			clearTimeout(timer);
			await pool?.destroy();
		},
	};
}

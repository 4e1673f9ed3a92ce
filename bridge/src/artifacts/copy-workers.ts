import { availableParallelism } from "node:os";
import { Tinypool } from "tinypool";
import { toArtifactStoreError } from "./artifact-store-error.ts";
import type { CollectOutcome, CollectTask } from "./collect-task.ts";
import type { RemoveTask } from "./copy-worker.ts";

const MAX_WORKERS = 4;

type WorkerFunction = keyof typeof import("./copy-worker.ts");

/** The worker threads that do the artifact store's synchronous work. Idle ones do not keep the process alive. */
export interface CopyWorkers extends AsyncDisposable {
	/** @throws ArtifactStoreError if the worker thread fails; `remove` does too */
	collect(task: CollectTask): Promise<CollectOutcome>;
	/** Returns the copy's size in bytes. */
	remove(task: RemoveTask): Promise<number>;
}

/** The delay before the worker threads start, because a new bridge has other work to do. They start earlier if they are needed. */
const START_AFTER_MS = 2_000;

/** Starts the worker threads soon, or when first needed. One of them is kept: loading takes longer than an ordinary collection. */
export function createCopyWorkers(): CopyWorkers {
	let pool: Tinypool | undefined;
	const started = () => {
		pool ??= new Tinypool({
			filename: new URL("./copy-worker.ts", import.meta.url).href,
			// The default function, which a worker thread loads when it starts.
			name: "collectScope" satisfies WorkerFunction,
			minThreads: 1,
			maxThreads: Math.min(MAX_WORKERS, availableParallelism()),
			idleTimeout: 60_000,
		});
		return pool;
	};
	const timer = setTimeout(started, START_AFTER_MS).unref();
	const run = async (name: WorkerFunction, task: CollectTask | RemoveTask) => {
		clearTimeout(timer);
		try {
			return await started().run(task, { name });
		} catch (error) {
			throw toArtifactStoreError(error);
		}
	};
	return {
		collect: (task) => run("collectScope", task),
		remove: (task) => run("removeCopy", task),
		async [Symbol.asyncDispose]() {
			clearTimeout(timer);
			await pool?.destroy();
		},
	};
}

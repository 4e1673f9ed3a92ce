import { availableParallelism } from "node:os";
import { Tinypool } from "tinypool";
import { toVaultError } from "./vault-error.ts";
import type { VaultResult, VaultTask } from "./vault-worker.ts";

const MAX_WORKERS = 4;

/** The threads that do the vault's synchronous work. Idle ones do not hold the process. */
export interface VaultWorkers extends AsyncDisposable {
	/** Runs a task when a thread is free. @throws VaultError when the thread fails */
	run(task: VaultTask): Promise<VaultResult>;
}

/** Starts the threads: one stays warm, as loading it takes longer than an ordinary collection. */
export function createVaultWorkers(): VaultWorkers {
	const pool = new Tinypool({
		filename: new URL("./vault-worker.ts", import.meta.url).href,
		minThreads: 1,
		maxThreads: Math.min(MAX_WORKERS, availableParallelism()),
		idleTimeout: 60_000,
	});
	return {
		async run(task) {
			try {
				return await pool.run(task);
			} catch (error) {
				throw toVaultError(error);
			}
		},
		[Symbol.asyncDispose]: () => pool.destroy(),
	};
}

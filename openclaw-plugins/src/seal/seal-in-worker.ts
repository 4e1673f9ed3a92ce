import { Worker } from "node:worker_threads";
import { PluginError } from "../plugin-error.ts";
import type { SealTask } from "./seal-scope.ts";

const BOUND_MS = 30 * 60_000;

/**
 * Seals in a thread; the manifest is on disk afterwards.
 * @throws PluginError INTERNAL when it fails or takes longer than half an hour
 */
export async function sealInWorker(task: SealTask, program: URL): Promise<void> {
	const worker = new Worker(program, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: 512 } });
	const bound = AbortSignal.timeout(BOUND_MS);
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	worker.once("message", () => resolve());
	worker.once("error", reject);
	worker.once("exit", () => reject(new Error("the thread ended early")));
	bound.addEventListener("abort", () => reject(new Error("it took longer than half an hour")));
	try {
		await promise;
	} catch (cause) {
		throw new PluginError("INTERNAL", `the scope could not be sealed: ${cause instanceof Error ? cause.message : String(cause)}`, {
			cause,
		});
	} finally {
		await worker.terminate();
	}
}

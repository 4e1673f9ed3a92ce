import { Worker } from "node:worker_threads";
import { errorMessage } from "@xworkmate/platform/errors";
import { z } from "zod";
import { PluginError } from "../platform/plugin-error.ts";
import type { SealTask } from "./seal-scope.ts";

const BOUND_MS = 30 * 60_000;
/** How long the worker thread is kept for the next collection, because starting it takes longer than an ordinary collection. */
const IDLE_MS = 60_000;

const Answer = z.union([z.object({ sealed: z.literal(true) }), z.object({ sealed: z.literal(false), message: z.string() })]);

/** Seals scopes one after another in a worker thread that does not keep the process alive. */
export class SealingThread {
	readonly #program: () => URL;
	#worker: Worker | undefined;
	#idle: NodeJS.Timeout | undefined;
	#last: Promise<unknown> = Promise.resolve();

	/** @param program the current path of `seal-worker` */
	constructor(program: () => URL) {
		this.#program = program;
	}

	/**
	 * Seals a scope. Its manifest is on disk when this resolves.
	 * @throws PluginError INTERNAL if sealing fails, or takes longer than 30 min
	 */
	seal(task: SealTask): Promise<void> {
		const sealed = this.#last.then(() => this.#run(task));
		this.#last = Promise.allSettled([sealed]);
		return sealed;
	}

	async close(): Promise<void> {
		clearTimeout(this.#idle);
		const worker = this.#worker;
		this.#worker = undefined;
		await worker?.terminate();
	}

	async #run(task: SealTask): Promise<void> {
		clearTimeout(this.#idle);
		this.#worker ??= this.#start();
		try {
			await answerOf(this.#worker, task);
		} catch (cause) {
			await this.close();
			throw new PluginError("INTERNAL", `the run's folder could not be sealed: ${errorMessage(cause)}`, { cause });
		}
		this.#idle = setTimeout(() => void this.close(), IDLE_MS);
		this.#idle.unref();
	}

	#start(): Worker {
		const worker = new Worker(this.#program(), { resourceLimits: { maxOldGenerationSizeMb: 512 } });
		worker.unref();
		// Without a listener, an error between two calls would crash the gateway. During a call, the call itself also gets the error.
		worker.on("error", () => {});
		worker.once("exit", () => {
			if (this.#worker === worker) this.#worker = undefined;
		});
		return worker;
	}
}

async function answerOf(worker: Worker, task: SealTask): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<unknown>();
	const ended = () => reject(new Error("its worker thread ended early"));
	const bound = setTimeout(() => reject(new Error("it took longer than 30 min")), BOUND_MS);
	worker.once("message", resolve).once("error", reject).once("exit", ended);
	worker.postMessage(task);
	try {
		const answer = Answer.parse(await promise);
		if (!answer.sealed) throw new Error(answer.message);
	} finally {
		clearTimeout(bound);
		worker.off("message", resolve).off("error", reject).off("exit", ended);
	}
}

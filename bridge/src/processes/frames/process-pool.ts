/** What a pool needs from its processes. */
export interface Pooled {
	readonly alive: boolean;
	kill(): Promise<void>;
}

export interface ProcessPoolOptions<P extends Pooled> {
	readonly start: () => Promise<P>;
	/** A process unused for this long is ended. */
	readonly idleMs: number;
}

/** Processes that start slowly and serve one caller at a time: one is kept ready, and any number may be in use. */
export class ProcessPool<P extends Pooled> {
	readonly #options: ProcessPoolOptions<P>;
	readonly #ending = new Set<Promise<unknown>>();
	readonly #out = new Set<P>();
	/** The process that is kept ready. Resolves to undefined if a returned process has turned out not to be reusable. */
	#ready: Promise<P | undefined> | undefined;
	#idle: NodeJS.Timeout | undefined;
	#closed = false;

	constructor(options: ProcessPoolOptions<P>) {
		this.#options = options;
	}

	/** Starts a process for the next caller, unless one is ready. */
	prepare(): void {
		if (this.#closed || this.#ready !== undefined) return;
		const starting = this.#options.start();
		// The caller that takes the process gets the failure.
		starting.catch(() => undefined);
		this.#ready = starting;
		this.#waitIdle();
	}

	/** @throws the error of a failed start; an error if the pool is closed */
	async take(): Promise<P> {
		if (this.#closed) throw new Error("the pool is closed");
		const ready = await this.#takeReady();
		const taken = ready ?? (await this.#options.start());
		if (this.#closed) {
			this.end(taken);
			throw new Error("the pool is closed");
		}
		this.#out.add(taken);
		return taken;
	}

	/**
	 * Returns a process to the pool. The process is kept if `usable` resolves to true and no other process is ready; otherwise it is ended.
	 * Until `usable` settles, the next caller waits for this process rather than for the start of another.
	 */
	giveBack(process: P, usable: Promise<boolean> = Promise.resolve(true)): void {
		if (!process.alive || this.#closed || this.#ready !== undefined) {
			this.end(process);
			return;
		}
		this.#out.delete(process);
		this.#ready = usable.then((isUsable) => {
			if (isUsable) return process;
			this.end(process);
			return undefined;
		});
		this.#waitIdle();
	}

	/** Ends a process that cannot be reused. */
	end(process: P): void {
		this.#out.delete(process);
		const ending = process
			.kill()
			.catch(() => undefined) // A process that cannot be ended stays in the ledger for the next start.
			.finally(() => this.#ending.delete(ending));
		this.#ending.add(ending);
	}

	/** Ends all processes, including those in use. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#endReady();
		for (const process of this.#out) this.end(process);
		await Promise.all(this.#ending);
	}

	/** Ends the process that is kept ready. */
	async #endReady(): Promise<void> {
		clearTimeout(this.#idle);
		const ready = await this.#ready?.catch(() => undefined);
		this.#ready = undefined;
		if (ready !== undefined) this.end(ready);
	}

	async #takeReady(): Promise<P | undefined> {
		clearTimeout(this.#idle);
		const ready = this.#ready;
		this.#ready = undefined;
		const process = await ready;
		if (process === undefined || process.alive) return process;
		this.end(process);
		return undefined;
	}

	#waitIdle(): void {
		clearTimeout(this.#idle);
		this.#idle = setTimeout(() => void this.#endReady(), this.#options.idleMs).unref();
	}
}
